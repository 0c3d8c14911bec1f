import type { Approval } from "@stemma/core";

/** `refund_order {"order":"A1"}`, and the node where it is called otherwise. */
export function describeCall({ node, tool, arguments: args }: Approval): string {
	const place = node === tool ? "" : ` (${node})`;
	return `${escapeInvisible(tool)}${place} ${escapeInvisible(JSON.stringify(args))}`;
}

/** What cannot be seen, or turns around what stands beside it, would let a call look like another one. */
const escapeInvisible = (text: string): string =>
	text.replace(
		/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
		(character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
	);
