import type { ChatCallOptions, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { ProviderError } from "../../provider-error";

/** What a request can do without: the system message says it too, or it only makes the answer steadier. */
type Extra = "temperature" | "outputSchema";
type Extras = ReadonlySet<Extra>;

export type Ask = (request: ChatRequest, options: ChatCallOptions) => Promise<ChatReply>;

/** Asks one model, and asks again without an extra that it turns out not to take. */
export function createAsk(model: ChatModel): Ask {
	/** Learnt from what the model refuses, so that later calls need not find out again. */
	let refused: Extras = new Set();

	return async (request, options) => {
		let attempts = 0;
		for (let left = refused; ; ) {
			const current = leaveOut(request, left);
			try {
				const reply = await model.generate(current, options);
				refused = new Set([...refused, ...left]);
				return { ...reply, attempts: attempts + (reply.attempts ?? 1) };
			} catch (error) {
				if (!ProviderError.is(error)) throw error;
				attempts += error.attempts ?? 1;
				error.attempts = attempts;
				const suspects = toSuspects(error).filter((extra) => current[extra] !== undefined);
				if (suspects.length === 0) throw error;
				left = new Set([...left, ...suspects]);
			}
		}
	};
}

function leaveOut(request: ChatRequest, left: Extras): ChatRequest {
	const { temperature, outputSchema, ...rest } = request;
	return {
		...rest,
		...(temperature === undefined || left.has("temperature") ? {} : { temperature }),
		...(outputSchema === undefined || left.has("outputSchema") ? {} : { outputSchema }),
	};
}

/** The extras that an error names, under the names that formats give them, or both where it names nothing. */
function toSuspects({ code, field }: ProviderError): readonly Extra[] {
	if (code !== "bad_request") return [];
	if (field === undefined) return ["temperature", "outputSchema"];
	if (/temperature/i.test(field)) return ["temperature"];
	return /response_?format|schema|output_?config/i.test(field) ? ["outputSchema"] : [];
}
