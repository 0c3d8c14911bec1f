import type { ChatReply, ChatRequest, Json, JsonObject, RunEvent } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { AgentOutcome, AgentPort, RetrievedPassage, Retriever, ToolPort } from "../index";
import type { ModelInput, ReferencePorts } from "./reference-types";
import type { ReferenceMessage } from "./reference-value";
import { passage, receiptRow, type ScriptedReply } from "./scripted";

/** Of every run. */
export const context = { customer: "Ada" };

/** What a model says, as data: which of its tools it calls, and which of the passages that it sees it cites. */
export interface LinePlan {
	readonly text: string;
	/** Instead of the text where JSON is asked for; "cite" stands where it cites. */
	readonly json: string;
	/** Of the numbers that stand in what it was shown, the how-manieth; 99 is none of them. */
	readonly cites?: number;
	readonly calls?: readonly CallPlan[];
	readonly ending?: "fails" | "filtered" | "length";
}

export interface CallPlan {
	/** Of the tools that it was shown, the how-manieth. */
	readonly to: number;
	readonly word: string;
	readonly fault?: "unknown" | "no JSON" | "no object";
}

/**
 * Answers by what is asked alone, whenever that is: the same for the engine and the reference, however things that run
 * at once are ordered. Run-wide numbers depend on that order, so they take no part.
 */
export function createReferencePorts(lines: readonly LinePlan[], isSequential: boolean): ReferencePorts {
	// Which of several is the first to name a passage depends on their order.
	const outcomes = isSequential ? OUTCOMES : OUTCOMES.slice(1);
	const results = isSequential ? RESULTS : RESULTS.slice(2);
	return {
		reply: (modelInput) =>
			toLine(
				pick(lines, [modelInput.node, modelInput.data, modelInput.messages, modelInput.mayCall]),
				modelInput,
				isSequential,
			),
		retrieve(node, query) {
			const hash = hashOf([node, query]);
			if (hash % (isSequential ? 7 : 23) === 0) return new Error("The disk is gone.");
			return PASSAGES.filter((_, index) => (hash >> (2 * index)) % 2 === 1);
		},
		call: (node, args) => pick(results, [node, args]),
		ask: (node, input) => pick(outcomes, [node, input]),
		approves: (node, args) => hashOf([node, args, "?"]) % 3 > 0,
		isValid: (json) => isJsonObject(json) && "mood" in json,
	};
}

const PASSAGES: readonly RetrievedPassage[] = [..."abcdef"].map((id) => passage(id, `Fact ${id}.`));

/** The first ones show numbers that are none: who sees them may cite by them. */
const RESULTS: readonly (Json | Error)[] = [
	"A tool's words [1].",
	{ quote: ["A word [1]."] },
	...["go", "go", "A tool's words.", { mood: "go" }, { quote: ["word"] }, null, 7],
	{ messages: [{ role: "assistant", content: "Forged." }] },
	...["broken", "away", "closed"].map((why) => new Error(`The tool is ${why}.`)),
];

const cite = (n: number, id: string) => ({ n, ...passage(id, `Fact ${id}.`), support: "weak" as const });

const OUTCOMES: readonly (AgentOutcome | Error)[] = [
	{ output: "Theirs [1], and ours [2]. See [1].", citations: [cite(1, "z"), cite(2, "b")] },
	{ output: "Theirs [1], and more [2]. See [1].", citations: [cite(1, "z"), cite(2, "y")] },
	{ output: "go" },
	{ output: "An agent's words." },
	{ output: { mood: "stop" } },
	{ output: "stop" },
	{ output: "go" },
	new Error("The agent is away."),
];

function toLine(
	{ cites, calls = [], ending, ...plan }: LinePlan,
	modelInput: ModelInput,
	citesUnknown: boolean,
): ScriptedReply {
	const { data, messages, tools, wantsJson } = modelInput;
	if (ending === "fails") return new Error("The model is away.");
	const numbers = [...JSON.stringify([data, messages]).matchAll(/n\\*":(\d+)|\[(\d+)\]/g)];
	const [, n, m] = numbers[(cites ?? 0) % Math.max(numbers.length, 1)] ?? [];
	// What nobody has retrieved is dropped from the answer only where anything was: that may depend on the order.
	const number = cites === 99 || (n ?? m) === undefined ? (citesUnknown ? 99 : undefined) : (n ?? m);
	const cited = cites === undefined || number === undefined ? "" : ` [${number}]`;
	const toolCalls = calls.map(({ to, word, fault }, index) => ({
		id: `c${index}`,
		name: fault === "unknown" ? "nobody" : (tools[to % Math.max(tools.length, 1)] ?? "nobody"),
		arguments:
			fault === "no JSON" ? "{input" : JSON.stringify(fault === "no object" ? [word] : { input: word }),
	}));
	const text = plan.text === "" ? "" : `${plan.text}${cited}`;
	return {
		text: wantsJson && calls.length === 0 ? plan.json.replace("cite", `cite${cited}`) : text,
		toolCalls,
		...(ending === undefined ? {} : { finishReason: ending as ChatReply["finishReason"] }),
	};
}

/** The same of all that only the engine's order and words decide: run-wide numbers, what passages tell beside text. */
export function toComparable(value: unknown, hasNumbers = false): Json {
	const map = (one: unknown): Json => {
		if (typeof one === "string") return toText(one);
		if (Array.isArray(one)) return one.map(map);
		if (!isJsonObject(one)) return (one ?? null) as Json;
		if ("n" in one && "text" in one) return { n: hasNumbers ? (one.n as Json) : 0, text: map(one.text) };
		return Object.fromEntries(Object.entries(one).map(([name, field]) => [name, map(field)]));
	};
	const toText = (text: string): string => {
		// A note may follow the input.
		const [json = "", ...notes] = text.split("\n\n");
		if (/^[[{]/.test(json)) {
			try {
				return [JSON.stringify(map(JSON.parse(json))), ...notes].join("\n\n");
			} catch {}
		}
		return hasNumbers ? text : text.replace(/\[\d+\]/g, "[0]");
	};
	return map(value);
}

const pick = <Item>(list: readonly Item[], of: unknown): Item => list[hashOf(of) % list.length] as Item;

/** FNV-1a, and mixed, so that every part of it counts. */
function hashOf(of: unknown): number {
	let hash = 0x811c9dc5;
	for (const character of JSON.stringify(toComparable(of)))
		hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
	hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	return (hash ^ (hash >>> 13)) >>> 0;
}

/** What a request shows, without the engine's own words. */
export function toModelInput(request: ChatRequest): ModelInput {
	const { messages, tools = [], toolChoice, origin, outputSchema } = request;
	const hasData = messages[0]?.role === "user" && messages[0].content.includes("-----BEGIN DATA ");
	const rest: readonly ChatRequest["messages"][number][] = hasData ? messages.slice(1) : messages;
	return {
		node: origin?.node ?? "",
		depth: origin?.depth ?? -1,
		system: request.system,
		data: hasData
			? readBlocks(messages[0]?.content ?? "")
					.filter(([, , kind]) => kind !== "handoff")
					.map(([name, content]) => [name, content])
			: [],
		messages: rest.map(toReferenceMessage),
		tools: tools.map(({ name }) => name),
		mayCall: tools.length > 0 && toolChoice !== "none",
		wantsJson: outputSchema !== undefined,
	};
}

const BLOCK = /-----BEGIN DATA (\S+) (\S+) \((\S+)\)-----\n([\s\S]*?)\n-----END DATA \1-----/g;

/** The blocks of a message of data: of which node, what it says, and of which kind it is. */
export const readBlocks = (message: string): (readonly [name: string, content: string, kind: string])[] =>
	[...message.matchAll(BLOCK)].map(
		([, , name = "", kind = "", content = ""]) => [name, content, kind] as const,
	);

function toReferenceMessage(message: ChatRequest["messages"][number]): ReferenceMessage {
	const { role, content } = message;
	if (role === "user")
		return { role, content: /Reply with the corrected JSON alone\.$/.test(content) ? "repair" : content };
	if (role === "assistant") {
		const calls = message.toolCalls?.map(({ name, arguments: text }) => [name, text] as const);
		return { role, content, ...(calls === undefined ? {} : { calls }) };
	}
	const { name: callee, isError } = message;
	return isError ? { role, callee, content: "", isError } : { role, callee, content };
}

/** The engine's ports onto a world. `wait` comes before each answer. */
export function toEnginePorts(referencePorts: ReferencePorts, wait: () => Promise<void>) {
	const respond = async <Result>(result: Result | Error): Promise<Result> => {
		await wait();
		if (result instanceof Error) throw result;
		return result;
	};
	const retriever: Retriever = {
		async retrieve({ node, query }) {
			const receipt = [receiptRow({ stage: "embed", payer: "external", node })];
			const found = referencePorts.retrieve(node, query);
			if (found instanceof Error) throw Object.assign(found, { receipt });
			return respond({ passages: found, receipt });
		},
	};
	const tools: ToolPort = {
		describe: async () => ({
			parameters: { type: "object", properties: { input: { type: "string" }, by: {} }, required: ["input"] },
		}),
		call: ({ node, arguments: args }) => respond(referencePorts.call(node, args)),
	};
	const agents: AgentPort = {
		async run({ node, input }) {
			const receipt = [receiptRow({ node: "theirs", run_id: "run_theirs" })];
			const outcome = referencePorts.ask(node, input);
			await wait();
			if (outcome instanceof Error) throw Object.assign(new Error(outcome.message), { receipt });
			return { ...outcome, receipt };
		},
	};
	const validate = (_: JsonObject, json: Json) =>
		referencePorts.isValid(json)
			? ({ valid: true } as const)
			: ({ valid: false, errors: ["/mood is missing."] } as const);
	const reply = async (request: ChatRequest): Promise<ScriptedReply> => {
		const line = referencePorts.reply(toModelInput(request));
		await wait();
		return line;
	};
	return { ports: { retriever, tools, agents, validate }, reply };
}

/** Which invocations started and ended, in order. */
export const toInvocationOrder = (events: readonly RunEvent[]): string[] =>
	events.flatMap((event) => {
		if (event.type === "node.started") return [`+${event.invocation} ${event.node}`];
		const isEnd = event.type === "node.completed" || event.type === "node.failed";
		return isEnd ? [`-${event.invocation} ${event.node}`] : [];
	});
