import { styleText } from "node:util";
import { visibleText } from "@stemma/core/internal";

/** Streams of a command; colours and movement only where a person is watching. */
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

/**
 * Text from documents, models, servers and files as a terminal may show it: it moves no cursor, recolours and reorders
 * nothing, and hides nothing.
 */
export const sanitizeText = (text: string): string => visibleText(text);

/** Text that is safe on a terminal, in one line, for cells and labels. */
export const sanitizeLine = (text: string): string => visibleText(text).replace(/\s+/g, " ");
