import * as z from "zod";

const MAX_MESSAGE_CHARACTERS = 100_000;
/** Text parts of one message. */
const MAX_MESSAGE_PARTS = 100;
const MAX_HISTORY_MESSAGES = 100;

/** Text, or text parts, as text. */
const content = z
	.union([
		z.string().max(MAX_MESSAGE_CHARACTERS),
		z
			.array(z.object({ type: z.literal("text"), text: z.string().max(MAX_MESSAGE_CHARACTERS) }))
			.max(MAX_MESSAGE_PARTS),
	])
	.transform((value) => (typeof value === "string" ? value : value.map(({ text }) => text).join("")));

/** The field by which a caller gives the conversation before a question. */
export const historyField = z
	.array(z.strictObject({ role: z.enum(["user", "assistant"]), content }))
	.max(MAX_HISTORY_MESSAGES);
