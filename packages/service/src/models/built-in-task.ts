import type { ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import { createExtractiveModel } from "@stemma/routing/extractive";

/**
 * Output of the built-in model's thread. Errors are sent by their parts, because classes cannot be passed between
 * threads.
 */
export type BuiltInOutput = { readonly reply: ChatReply } | { readonly error: BuiltInError };

/** An error of the built-in model by its parts. */
export interface BuiltInError {
	readonly message: string;
	readonly code: string;
	readonly hint: string | undefined;
	/** Further fields, such as `field` and `attempts`. */
	readonly fields: Readonly<Record<string, unknown>>;
}

/** The built-in model of the deployment, in this thread. */
export const BUILT_IN_MODEL: ChatModel = createExtractiveModel();

/** Replies to a request, in the thread that this is called in. */
export async function generateBuiltIn(request: ChatRequest): Promise<BuiltInOutput> {
	try {
		return { reply: await BUILT_IN_MODEL.generate(request) };
	} catch (error) {
		if (!StemmaError.is(error)) throw error;
		const { message, code, hint, field, attempts } = error as StemmaError & Record<string, unknown>;
		const fields = { ...(field !== undefined && { field }), ...(attempts !== undefined && { attempts }) };
		return { error: { message, code, hint, fields } };
	}
}

/** @throws StemmaError as the model threw it. */
export function readReply(output: BuiltInOutput): ChatReply {
	if ("reply" in output) return output.reply;
	const { message, code, hint, fields } = output.error;
	throw new StemmaError(message, { code, hint }, { ...fields });
}
