import { randomBytes } from "node:crypto";
import type { Behaviour, Fields, SimulatedUsage } from "@stemma/simulators/openai";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";

export interface Vendor extends Omit<OpenAiSimulator, "enqueue"> {
	readonly apiKey: string;
}

/** What it charges: for a turn that calls, and for one that answers. */
export const USAGE = {
	call: { inputTokens: 321, outputTokens: 21 },
	answer: { inputTokens: 1234, outputTokens: 56, cachedTokens: 7 },
} satisfies Record<string, SimulatedUsage>;

/** In its error bodies, and nowhere else. */
export const VENDOR_ERROR_TEXT = "the vendor's own words about a broken rack";

/**
 * A vendor that does as the question says, so that many runs can be under way at once: `#fail`, `#stall` in the middle,
 * `#slow`; else it calls what it is offered once, and answers with what the handbook says.
 */
export async function startVendor(): Promise<Vendor> {
	const apiKey = `sk-${randomBytes(24).toString("hex")}`;
	const simulator = await startOpenAiSimulator({ apiKey, behaviour: respond });
	return Object.assign(simulator, { apiKey });
}

function respond({ messages, tools }: Fields): Behaviour {
	const contents = (messages as readonly Fields[]).map(({ role, content }) => ({
		role,
		text: String(content),
	}));
	const has = (mark: string): boolean => contents.some(({ text }) => text.includes(mark));
	const long = { kind: "reply", text: "A sentence that goes on for a while. ".repeat(8) } as const;
	if (has("#fail")) return { kind: "failure", status: 500, message: VENDOR_ERROR_TEXT };
	if (has("#stall")) return { ...long, fault: { kind: "stall", after: 12 } };
	if (has("#slow")) return { ...long, usage: USAGE.answer, pauseMs: 40 };
	const question = contents.findLast(({ role }) => role === "user")?.text ?? "";
	const result = contents.findLast(({ role }) => role === "tool")?.text;
	if (result !== undefined) return { kind: "reply", text: result, usage: USAGE.answer };
	const [tool] = (tools ?? []) as readonly { readonly function: { readonly name: string } }[];
	if (tool === undefined)
		return { kind: "reply", text: quote(contents.map(({ text }) => text)), usage: USAGE.answer };
	const call = { name: tool.function.name, arguments: { input: question } };
	return { kind: "reply", toolCalls: [call], usage: USAGE.call };
}

/** The sentence with the figure, and the number of its passage. Passages stand one line a retrieval. */
function quote(texts: readonly string[]): string {
	const passages = texts
		.flatMap((text) => text.split("\n"))
		.filter((line) => line.startsWith('{"query"'))
		.flatMap((line): readonly { n: number; text: string }[] => JSON.parse(line).passages);
	for (const { n, text } of passages) {
		const [sentence] = /[^.!?\n:]*\b16 weeks\b[^.!?\n:]*/.exec(text) ?? [];
		if (sentence !== undefined) return `${sentence.trim()} [${n}].`;
	}
	return `Nothing fits among ${passages.length} passages.`;
}
