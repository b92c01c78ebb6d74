import { TextField } from 'health-records-service/http';
import { SecretField } from 'health-records-service/security';

const KEPT = {
  min: 1,
  max: 256,
  printable: true,
  description: 'As the start gave it.',
  example: 'bPWmvcM0hIhrqrTjPlKr0XhBaKXxyTUKyjXuAS8nWqA',
};

/** What the browser brings back, and what the page has kept since the start. */
export abstract class OidcAnswer {
  @TextField({
    min: 1,
    max: 4096,
    description: 'The part of the URL behind `?`, with which the provider sent the browser back.',
    example: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj',
  })
  query: string;

  @TextField(KEPT)
  state: string;

  @TextField(KEPT)
  nonce: string;

  @TextField(KEPT)
  code_verifier: string;
}

export class OidcLoginRequest extends OidcAnswer {
  @TextField({ optional: true, min: 1, max: 64, description: 'Names the session.', example: "Ana's phone" })
  device_label?: string;
}

export class OidcLinkRequest extends OidcAnswer {
  @SecretField({ description: 'The auth secret of the current password.' })
  current_password: string;
}

export class OidcUnlinkRequest {
  @SecretField({ description: 'The auth secret of the current password.' })
  current_password: string;
}
