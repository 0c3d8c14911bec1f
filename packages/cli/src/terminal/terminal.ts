import { styleText } from "node:util";

/** Where a command writes and reads; colours and movement only where a person looks on. */
export interface Terminal {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	readonly stderr: NodeJS.WriteStream;
}

export type Style = Parameters<typeof styleText>[0];

/** Styled for that stream: plain when it is no terminal, or when `NO_COLOR` is set. */
export function style(stream: NodeJS.WriteStream, format: Style, text: string): string {
	return styleText(format, text, { stream });
}

/** Text from documents and models must not move the cursor or recolour the terminal. */
export function withoutControls(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
	return text.replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, "");
}
