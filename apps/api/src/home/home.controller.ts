import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@app/security';
import { HomeService, PAGE_POLICY } from './home.service';

/** For people who open the service in a browser. Outside the prefix `/api`, and not part of the API. */
@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(private readonly home: HomeService) {}

  @Public()
  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', PAGE_POLICY)
  page(): string {
    return this.home.page();
  }
}
