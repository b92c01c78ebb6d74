const SIDE = 128;
const MOST_CHARACTERS = 24_000;

/**
 * Makes a small square picture of a file, on the device. What the camera wrote into the file is gone.
 * @returns a `data:` address of at most 24 kB
 * @throws Error where the file is no picture
 */
export async function smallPicture(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  canvas
    .getContext('2d')!
    .drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  bitmap.close();
  for (const quality of [0.8, 0.6, 0.4, 0.2]) {
    const address = canvas.toDataURL('image/jpeg', quality);
    if (address.length <= MOST_CHARACTERS) return address;
  }
  throw new Error('The picture cannot be made small enough.');
}
