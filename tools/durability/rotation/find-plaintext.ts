import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files of a folder that hold any of these. */
export const findPlaintext = (folder: string, needles: readonly (string | Buffer)[]): readonly string[] =>
	listFiles(folder).filter((file) => {
		const content = readOrNothing(file);
		return needles.some((needle) => content.includes(needle));
	});

const listFiles = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));

/** A rotation that goes on may end just then, and with it the files beside a database. */
function readOrNothing(file: string): Buffer {
	try {
		return readFileSync(file);
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
		throw error;
	}
}

/** A text as it is, as hexadecimal digits, and as base64 with anything around it. */
export function encodedVariants(text: string): readonly string[] {
	const bytes = Buffer.from(text);
	const hex = bytes.toString("hex");
	const base64 = (["base64", "base64url"] as const).flatMap((alphabet) =>
		[0, 1, 2].map((offset) => toBase64Core(bytes, offset, alphabet)),
	);
	return [text, hex, hex.toUpperCase(), ...base64];
}

/** What base64 makes of these bytes alone, whatever stands before and behind them. */
function toBase64Core(bytes: Buffer, offset: number, alphabet: "base64" | "base64url"): string {
	const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
	const from = offset === 0 ? 0 : offset + 1;
	return whole.toString(alphabet).slice(from, Math.floor((whole.length * 8) / 6));
}
