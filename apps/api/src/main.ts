import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Module, Controller, Get } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
const x = 1;
@Controller()
class C { @Get() a() { return { x }; } }
@Module({ controllers: [C] })
class M {}
async function main() {
  const app = await NestFactory.create(M, new FastifyAdapter());
  await app.listen(3999, '127.0.0.1');
  console.log(await (await fetch('http://127.0.0.1:3999/')).text());
  await app.close();
}
void main();
