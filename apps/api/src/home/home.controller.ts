import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@app/http';
import type { FastifyReply } from 'fastify';
import { HomeService, type Served } from './home.service';

/** For people who open the service in a browser. Outside the prefix `/api`, and not part of the API. */
@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(private readonly home: HomeService) {}

  @Public()
  @Get()
  page(@Res() reply: FastifyReply): void {
    send(reply, this.home.page());
  }

  /** The page chooses its screen by the URL. */
  @Public()
  @Get('app/*')
  route(@Res() reply: FastifyReply): void {
    send(reply, this.home.file('index.html'));
  }

  @Public()
  @Get('service-worker.js')
  serviceWorker(@Res() reply: FastifyReply): void {
    send(reply, this.home.file('service-worker.js'));
  }

  @Public()
  @Get('manifest.webmanifest')
  manifest(@Res() reply: FastifyReply): void {
    send(reply, this.home.file('manifest.webmanifest'));
  }
}

function send(reply: FastifyReply, { text, headers }: Served): void {
  void reply.headers(headers).send(text);
}
