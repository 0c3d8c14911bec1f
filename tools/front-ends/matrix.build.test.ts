import { readFileSync } from "node:fs";
import type { Behaviour } from "@stemma/simulators/openai";
import { describe, expect, it } from "vitest";
import { loadAgentProgram } from "./clients/ag-ui-agent";
import { createAgUiFrontEnd } from "./clients/ag-ui-front-end";
import { loadChatProgram } from "./clients/ai-sdk-chat";
import { createAiSdkFrontEnd } from "./clients/ai-sdk-front-end";
import type { Able, Answer, Conversation, FrontEnd } from "./clients/front-end";
import { chatCompletionsFrontEnd, messagesFrontEnd, responsesFrontEnd } from "./clients/model-front-ends";
import { readRun, sdkFrontEnd } from "./clients/sdk-front-end";
import type { TargetName } from "./fixture";
import { isInstalled, useServers } from "./use-servers";

// Every front end gets the answer that our own client reads of the same run, and can do the same; or the guide says why not.

const guide = readFileSync(new URL("../../docs/front-ends.md", import.meta.url), "utf8");

// biome-ignore lint/correctness/useHookAtTopLevel: not a hook of React
const servers = useServers();

/** Front ends of both servers. */
const PAGES: Readonly<Record<string, () => Promise<FrontEnd>>> = {
	"our client": async () => sdkFrontEnd,
	useChat: async () => createAiSdkFrontEnd(await loadChatProgram()),
	"AG-UI": async () => createAgUiFrontEnd(await loadAgentProgram()),
};
/** Front ends for which agents are models, of the service alone. */
const MODEL_CLIENTS: Readonly<Record<string, () => Promise<FrontEnd>>> = {
	"chat completions": async () => chatCompletionsFrontEnd,
	responses: async () => responsesFrontEnd,
	messages: async () => messagesFrontEnd,
};
const FRONT_ENDS = { ...PAGES, ...MODEL_CLIENTS };

interface Scenario {
	readonly agent: "plain" | "cited" | "desk";
	/** What the model does. The middle of a held answer waits for `held`. */
	toReplies(held: Promise<void>): readonly Behaviour[];
	/** What a front end needs for it beside `ask`. */
	readonly needs?: "decide" | "cancel" | "rejoin";
	play(conversation: Conversation, release: () => void): Promise<void>;
	readonly expected: { readonly [Field in keyof Answer]?: unknown };
	/** Arguments with which the tool is called. Default: it is not. */
	readonly calls?: readonly object[];
}

const WORDS = Array.from({ length: 30 }, (_, n) => `word-${n}`).join(" ");
const ask = ({ ask }: Conversation): Promise<void> => ask("How long does a refund take?");
const untilWriting = ({ read }: Conversation) => expect.poll(() => read().text).not.toBe("");

const toDecision = (approved: boolean): Scenario => ({
	...WAITING,
	toReplies: (held) => [...WAITING.toReplies(held), { kind: "reply", text: "That is that." }],
	needs: "decide",
	async play(conversation) {
		await ask(conversation);
		await getAction(conversation.decide)(approved);
	},
	expected: { status: "completed", text: "That is that.", approvals: [] },
	calls: approved ? [{ order: 7 }] : [],
});

const WAITING: Scenario = {
	agent: "desk",
	toReplies: () => [
		{
			kind: "reply",
			text: "Let me see.",
			toolCalls: [{ id: "c", name: "refund", arguments: { order: 7 } }],
		},
	],
	play: ask,
	expected: { status: "paused", text: "" },
};

const SCENARIOS: Readonly<Record<string, Scenario>> = {
	"a plain answer": {
		agent: "plain",
		toReplies: () => [{ kind: "reply", reasoning: "Hm.", text: "Five days." }],
		play: ask,
		expected: { status: "completed", text: "Five days.", citations: [] },
	},
	citations: {
		agent: "cited",
		toReplies: () => [{ kind: "reply", text: "It takes five working days [1]." }],
		play: ask,
		expected: {
			status: "completed",
			text: "It takes five working days [1].",
			citations: [expect.objectContaining({ n: 1, title: "Returns", support: "supported" })],
		},
	},
	"a call that waits for an approval": WAITING,
	"an approval": toDecision(true),
	"a denial": toDecision(false),
	"the error of the vendor": {
		agent: "plain",
		toReplies: () => [{ kind: "failure", status: 400, message: "No." }],
		play: ask,
		expected: { status: "failed", text: "", error: expect.stringMatching(/\w+ .*\./) },
	},
	"a cancellation": {
		agent: "plain",
		toReplies: (held) => [{ kind: "reply", text: WORDS, held }],
		needs: "cancel",
		async play(conversation) {
			const asked = ask(conversation);
			await untilWriting(conversation);
			await getAction(conversation.cancel)();
			await asked;
		},
		expected: { status: "cancelled", text: expect.stringMatching(/^word-0/), error: undefined },
	},
	"a reload in the middle": {
		agent: "plain",
		toReplies: (held) => [{ kind: "reply", text: WORDS, held }],
		needs: "rejoin",
		async play(conversation, release) {
			const asked = ask(conversation);
			await untilWriting(conversation);
			const rejoined = getAction(conversation.rejoin)();
			await asked;
			release();
			await rejoined;
		},
		expected: { status: "completed", text: WORDS },
	},
};

function getAction<Action extends (...args: never) => unknown>(able: Able<Action>): Action {
	if (typeof able === "string") throw new Error(able);
	return able;
}

/** The answer in the eyes of our own client, which sees the run from its beginning. */
async function readReference(target: TargetName, run_id: string): Promise<Answer | undefined> {
	const { sdk } = servers.fixture.targets[target === "runtime" ? "runtime" : "service"];
	let answer: Answer | undefined;
	for await (const next of readRun(sdk.runs.stream(run_id))) answer = next;
	// Client keys see neither what a run waits for nor what exactly went wrong.
	return target === "client key" && answer !== undefined
		? { ...answer, approvals: [], ...(answer.error && { error: expect.stringContaining(run_id) }) }
		: answer;
}

/** Addresses of cited documents are other ones each time. */
const withoutDocumentUrls = (answer: Answer): Answer => ({
	...answer,
	citations: answer.citations.map((citation) => ({ ...citation, document_url: undefined })),
});

const cells = Object.entries(SCENARIOS).flatMap(([scenario, { needs }]) =>
	(["service", "runtime", "client key"] as const)
		// Client keys never decide.
		.filter((target) => target !== "client key" || needs !== "decide")
		.flatMap((target) =>
			Object.keys(target === "runtime" ? PAGES : FRONT_ENDS).map((name) => ({ scenario, target, name })),
		),
);

describe.skipIf(!isInstalled)("the same answer everywhere", () => {
	it.each(cells)("$scenario, of $target, by $name", async ({ scenario: title, target, name }) => {
		const [scenario, create] = [SCENARIOS[title], FRONT_ENDS[name]];
		if (scenario === undefined || create === undefined) throw new Error("No such cell.");
		const { agent, toReplies, needs, play, expected, calls = [] } = scenario;
		const conversation = (await create())(servers.fixture.targets[target], agent);
		const able = needs === undefined ? undefined : conversation[needs];
		if (typeof able === "string") return expect(guide.includes(able), able).toBe(true);
		const { promise: held, resolve: release } = Promise.withResolvers<void>();
		servers.enqueue(...toReplies(held));
		await play(conversation, release);
		release();
		const answer = conversation.read();
		expect(answer).toMatchObject(expected);
		const reference = await readReference(target, answer.run_id ?? "");
		expect(withoutDocumentUrls(answer)).toEqual(reference);
		expect(servers.listCalls()).toEqual(calls);
	});
});
