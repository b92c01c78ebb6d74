import { TextField } from '@app/http';

/** The device's name in the list of sessions. */
export function DeviceLabelField(): PropertyDecorator {
  return TextField({
    optional: true,
    min: 1,
    max: 64,
    printable: true,
    description: 'Plaintext: what the list of sessions calls this device.',
    example: "Ana's phone",
  });
}
