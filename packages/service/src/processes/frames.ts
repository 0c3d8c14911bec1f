/** Length of a frame's payload in 4 bytes, most significant first. */
const HEADER_BYTES = 4;

/** Header of a frame, to be sent before its payload. */
export function toFrameHeader(byteLength: number): Buffer {
	const header = Buffer.allocUnsafe(HEADER_BYTES);
	header.writeUInt32BE(byteLength);
	return header;
}

/** Reader of frames from a byte stream. */
export interface FrameReader {
	/** Takes the next bytes, which may end anywhere in a frame. */
	push(bytes: Uint8Array): void;
}

/**
 * Creates a reader of frames. A payload of several reads is copied once, into memory of its own.
 *
 * @param onHeader - called with the size of each frame before memory is taken for it; throws to refuse it.
 */
export function createFrameReader(
	onFrame: (payload: Buffer) => void,
	onHeader: (byteLength: number) => void = () => undefined,
): FrameReader {
	const header = Buffer.alloc(HEADER_BYTES);
	let target = header;
	let filled = 0;

	function finishPart(): void {
		const part = target;
		filled = 0;
		if (part === header) {
			const byteLength = header.readUInt32BE();
			onHeader(byteLength);
			target = Buffer.allocUnsafeSlow(byteLength);
			if (byteLength === 0) finishPart();
		} else {
			target = header;
			onFrame(part);
		}
	}

	return {
		push(bytes) {
			for (let position = 0; position < bytes.length; ) {
				const part = bytes.subarray(position, position + target.length - filled);
				target.set(part, filled);
				filled += part.length;
				position += part.length;
				if (filled === target.length) finishPart();
			}
		},
	};
}
