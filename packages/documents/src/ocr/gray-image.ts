/** Pixels of an image as PDF.js gives them. */
export interface PixelImage {
	readonly width: number;
	readonly height: number;
	/** 1: one bit a pixel, 2: red, green and blue, 3: with opacity. */
	readonly kind: 1 | 2 | 3;
	readonly data: Uint8Array | Uint8ClampedArray;
}

/** Writes an image in gray as PGM, on white. */
export function writeGrayImage(image: PixelImage): Uint8Array {
	const { width, height } = image;
	const header = Buffer.from(`P5\n${width} ${height}\n255\n`);
	const file = new Uint8Array(header.length + width * height);
	file.set(header);
	const pixels = file.subarray(header.length);
	if (image.kind === 1) addBits(pixels, image);
	else addColors(pixels, image, image.kind === 2 ? 3 : 4);
	return file;
}

/** Each row begins with a byte of its own; a bit that is set is white. */
function addBits(pixels: Uint8Array, { width, height, data }: PixelImage): void {
	const rowBytes = Math.ceil(width / 8);
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++) {
			const byte = data[y * rowBytes + (x >> 3)] ?? 0;
			pixels[y * width + x] = byte & (0x80 >> (x & 7)) ? 255 : 0;
		}
}

function addColors(pixels: Uint8Array, { data }: PixelImage, channels: 3 | 4): void {
	for (let pixel = 0, at = 0; pixel < pixels.length; pixel++, at += channels) {
		// Weights of Rec. 601, in parts of 256.
		const gray = (77 * (data[at] ?? 0) + 150 * (data[at + 1] ?? 0) + 29 * (data[at + 2] ?? 0)) >> 8;
		const opacity = channels === 4 ? (data[at + 3] ?? 0) : 255;
		pixels[pixel] = 255 - ((255 - gray) * opacity) / 255;
	}
}
