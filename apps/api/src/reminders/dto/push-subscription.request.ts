import { EchoedFields, ReadField, TextField } from '@app/http';

/** base64url of so many bytes. Browsers leave the padding out. */
function KeyField(bytes: number, description: string, example: string): PropertyDecorator {
  const read = (value: unknown) =>
    typeof value === 'string' &&
    /^[\w-]{1,128}={0,2}$/.test(value) &&
    Buffer.from(value, 'base64url').length === bytes
      ? value.replace(/=+$/, '')
      : undefined;
  return ReadField(
    { description },
    { name: 'key', rule: `must be ${bytes} bytes in base64url`, read },
    { type: String, example },
  );
}

/** `PushSubscription` of the browser. */
export class PutPushSubscriptionRequest extends EchoedFields {
  @TextField({
    min: 1,
    max: 1024,
    description: 'Of a push service that the service knows.',
    example: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABo',
  })
  endpoint: string;

  @KeyField(
    65,
    "The browser's public key.",
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  )
  p256dh: string;

  @KeyField(16, "The browser's secret for these messages.", 'BTBZMqHH6r4Tts7J_aSIgg')
  auth: string;

  @TextField({
    min: 1,
    max: 64,
    printable: true,
    description: 'Plaintext: what the list calls this device.',
    example: "Ana's phone",
  })
  label: string;
}
