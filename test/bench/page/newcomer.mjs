/**
 * Seconds of a practised person. Source: S. K. Card, T. P. Moran, A. Newell, “The keystroke-level model for user
 * performance time with interactive systems”, Communications of the ACM 23 (1980), 396–410: a keystroke of an average
 * typist, pointing at a place, a press, and getting ready in the mind.
 */
const KEY_MS = 280;
const POINT_MS = 1100;
const PRESS_MS = 200;
const THINK_MS = 1350;

const SECRET = 'four grey herons by the river';

/**
 * Goes the way of a person who has read nothing, from the first page to the printed one.
 * @returns the number of acts, and the milliseconds that a practised person needs for them, beside the machine's
 */
export async function goTheWay(browser, url) {
  const profile = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  const page = await profile.newPage();
  page.setDefaultTimeout(30_000);
  let [acts, person] = [0, 0];
  const act = (milliseconds) => {
    acts += 1;
    person += THINK_MS + POINT_MS + PRESS_MS + milliseconds;
  };
  const press = async (role, name) => {
    await page.getByRole(role, { name, exact: true }).first().click();
    act(0);
  };
  const type = async (label, text) => {
    await page.getByLabel(label, { exact: true }).fill(text);
    act(text.length * KEY_MS);
  };
  await page.goto(url);
  await press('link', 'Create an account');
  await type('Email', 'newcomer@example.org');
  await type('Password', SECRET);
  await type('Password again', SECRET);
  await press('button', 'Continue');
  await page.getByRole('heading', { name: 'Your twelve words' }).waitFor();
  const words = (await page.locator('.words li span:last-child').allTextContents()).map((word) =>
    word.trim(),
  );
  // To write a word down by hand takes as long as to type it, about.
  person += words.join(' ').length * KEY_MS;
  await press('button', 'I have printed or written them down');
  for (const label of await page.locator('form label').allTextContents())
    await type(label.trim(), words[Number(/\d+/.exec(label)[0]) - 1]);
  await press('button', 'Create the account');
  await press('link', 'Add a person or pet');
  await type('Name', 'Rosa');
  await press('button', 'Save');
  await page.getByRole('link', { name: 'Add a medicine' }).first().waitFor();
  await press('link', 'Add a medicine');
  await type('Name', 'Ramipril');
  await page.getByLabel('Strength').fill('5 mg');
  act('5 mg'.length * KEY_MS);
  await page.getByText('Read as ramipril').waitFor();
  await page.getByRole('button', { name: /^Save/ }).click();
  act(0);
  await press('link', 'Today');
  await press('link', 'More');
  await press('link', 'For the doctor');
  await page.getByRole('region', { name: 'Preview of the page' }).getByText('Ramipril').first().waitFor();
  await press('button', 'Print or save as PDF');
  await profile.close();
  return { acts, person };
}
