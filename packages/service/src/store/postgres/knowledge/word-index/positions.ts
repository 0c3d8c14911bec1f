/** Positions between the columns of a passage, so that no phrase goes from one into the next. */
const COLUMN_GAP = 1;

/**
 * Writes at which positions a passage has its tokens, as in `'car':1,5 'wheel':2` in UTF-8, without strings in between. Tokens
 * are letters, digits and marks, which need no escape.
 */
export interface PositionsWriter {
	/** Adds a token that the passage has not had before, at the next position. */
	add(token: string): void;
	/** Adds a token again, at the next position. @param place - of the token among those of the passage. */
	repeat(place: number): void;
	/** Ends a column of the passage. */
	endColumn(): void;
	/** Ends the passage, after which the next one begins. */
	end(): Uint8Array;
}

const [QUOTE, COLON, COMMA, BLANK, ZERO] = [0x27, 0x3a, 0x2c, 0x20, 0x30];
/** Bytes of a token besides its letters. */
const TOKEN_BYTES = 4;
const MAX_BYTES_PER_UNIT = 3;
const MAX_BYTES_PER_POSITION = 11;
const CHUNK_BYTES = 128 * 1024;

export function createPositionsWriter(): PositionsWriter {
	const tokens: string[] = [];
	/** First and last position of each token. */
	const firsts: number[] = [];
	const lasts: number[] = [];
	/** Next position of the same token, by position; 0 behind the last one. */
	const next: number[] = [0];
	let position = 0;
	let maxBytes = 0;
	let chunk = Buffer.alloc(0);
	let offset = 0;

	function takePosition(): number {
		position += 1;
		maxBytes += MAX_BYTES_PER_POSITION;
		next[position] = 0;
		return position;
	}

	function writeToken(token: string): void {
		chunk[offset++] = QUOTE;
		offset = writeText(chunk, offset, token);
		chunk[offset++] = QUOTE;
		chunk[offset++] = COLON;
	}

	function writeAll(): void {
		for (let place = 0; place < tokens.length; place++) {
			if (place > 0) chunk[offset++] = BLANK;
			writeToken(tokens[place] ?? "");
			for (let at = firsts[place] ?? 0; at > 0; at = next[at] ?? 0) {
				if (at !== firsts[place]) chunk[offset++] = COMMA;
				offset = writeDigits(chunk, offset, at);
			}
		}
	}

	return {
		add(token) {
			maxBytes += token.length * MAX_BYTES_PER_UNIT + TOKEN_BYTES;
			tokens.push(token);
			firsts.push(takePosition());
			lasts.push(position);
		},
		repeat(place) {
			next[lasts[place] ?? 0] = takePosition();
			lasts[place] = position;
		},
		endColumn() {
			position += COLUMN_GAP;
			next[position] = 0;
		},
		end() {
			if (offset + maxBytes > chunk.length) {
				chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, maxBytes));
				offset = 0;
			}
			const start = offset;
			writeAll();
			tokens.length = firsts.length = lasts.length = position = maxBytes = 0;
			return chunk.subarray(start, offset);
		},
	};
}

/** Writes a text in UTF-8. @returns where it ends. */
function writeText(buffer: Buffer, start: number, text: string): number {
	for (let index = 0; index < text.length; index++) {
		const unit = text.charCodeAt(index);
		if (unit >= 0x80) return start + buffer.write(text, start);
		buffer[start + index] = unit;
	}
	return start + text.length;
}

/** Writes a number. @returns where it ends. */
function writeDigits(buffer: Buffer, start: number, number: number): number {
	let end = start + 1;
	for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) end++;
	for (let rest = number, at = end - 1; at >= start; at--) {
		buffer[at] = ZERO + (rest % 10);
		rest = Math.floor(rest / 10);
	}
	return end;
}

/** Parses the positions of some tokens of a passage, as `passage_words` has them. */
export function parsePositions(
	text: string,
	isWanted: (token: string) => boolean,
): ReadonlyMap<string, readonly number[]> {
	const positions = new Map<string, readonly number[]>();
	for (const [, token = "", list = ""] of text.matchAll(/'([^']+)':([^ ]+)/g))
		if (isWanted(token)) positions.set(token, list.split(",").map(Number));
	return positions;
}
