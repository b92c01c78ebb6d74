import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { type Language, LANGUAGES } from '@app/interactions';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** Parameter of a check: the language of the texts that the caller prefers; English without a match. */
export const AcceptedLanguage = createParamDecorator((_: unknown, context: ExecutionContext): Language => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  const preferred = new Negotiator({ headers }).language(LANGUAGES);
  return LANGUAGES.find((language) => language === preferred) ?? 'en';
});

/** Documents the header on a route. */
export const ApiAcceptedLanguage = () =>
  ApiHeader({
    name: 'Accept-Language',
    required: false,
    description:
      'Chooses the language of the texts: `en`, `de` or `es`. What is not translated is in English, and `lang` says so.',
    schema: { type: 'string', example: 'de-AT, en;q=0.8' },
  });
