/** What the three days have in common. */
declare const process: { argv: string[] };

/** The address of the service. */
export const baseUrl = process.argv[2]!;

/** A blob as the reference client sends it. Text is allowed too. */
export const blob = { ciphertext: 'q83vEjRWeJCrze8S', iv: 'AAECAwQFBgcICQoL' };
export const text = 'q83vEjRWeJCrze8S';

/** The body of a registration. */
export const registration = {
  email: `ana.${Math.random().toString(36).slice(2)}@example.org`,
  password: 'c2VjcmV0',
  wrapped_dek: 'd3JhcHBlZA==',
  wrapped_dek_iv: 'AAECAwQFBgcICQoL',
  recovery_wrapped_dek: 'd3JhcHBlZA==',
  recovery_wrapped_dek_iv: 'AAECAwQFBgcICQoL',
};

/** Prints what the test compares. */
export function tell(day: {
  blobs: unknown[];
  adherence: number | null;
  status: string;
  measurements: number;
  findings: string[];
  left: number;
  refusal: string;
}): void {
  console.log(JSON.stringify(day));
}

/** @throws Error if the answer has no data. */
export function dataOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
