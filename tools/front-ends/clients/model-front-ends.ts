import type { RunResult } from "@stemma/core";
import OpenAI from "openai";
import type { Target } from "../fixture";
import type { Answer, FrontEnd } from "./front-end";

/** Answer of an agent as a model gives it, with what the service adds. */
interface Reply {
	readonly text: string;
	readonly stemma: Pick<RunResult, "run_id" | "status" | "citations" | "approvals">;
}

/** Error of the service in the format of a vendor. */
interface ReplyError {
	readonly message: string;
	readonly hint?: string;
	readonly details?: { readonly run_id?: string };
}

type Ask = (fetch: Target["fetch"], model: string, question: string) => Promise<Reply>;

/** Official client of a vendor, for which an agent is a model. */
const createModelFrontEnd =
	(ask: Ask): FrontEnd =>
	({ fetch }, agent) => {
		let answer: Answer | undefined;
		return {
			read() {
				if (answer === undefined) throw new Error("Nothing was asked.");
				return answer;
			},
			async ask(question) {
				answer = await ask(fetch, `agent:${agent}`, question).then(toAnswer, toFailedAnswer);
			},
			decide: "These protocols have no means to decide on an approval.",
			cancel: "A client that disconnects cancels the run and gets nothing.",
			rejoin: "A client that disconnects cancels the run and gets nothing.",
		};
	};

/** The text of a run that waits says so: it is no answer. */
const toAnswer = ({ text, stemma: { run_id, status, citations, approvals = [] } }: Reply): Answer => ({
	run_id,
	status,
	text: status === "paused" ? "" : text,
	citations,
	error: undefined,
	approvals: approvals.map((approval) => approval.arguments),
});

function toFailedAnswer(thrown: { readonly error?: ReplyError | { readonly error?: ReplyError } }): Answer {
	const { error } = thrown;
	const failure = error !== undefined && "message" in error ? error : error?.error;
	if (failure === undefined) throw thrown;
	const { message, hint, details } = failure;
	return {
		run_id: details?.run_id,
		status: "failed",
		text: "",
		citations: [],
		error: [message, hint ?? []].flat().join(" "),
		approvals: [],
	};
}

const openClient = (fetch: Target["fetch"]): OpenAI =>
	new OpenAI({ apiKey: "replaced", baseURL: "http://service.test/v1", maxRetries: 0, fetch });

/** `chat.completions` of `openai`. */
export const chatCompletionsFrontEnd = createModelFrontEnd(async (fetch, model, content) => {
	const messages = [{ role: "user" as const, content }];
	const completion = await openClient(fetch).chat.completions.create({ model, messages });
	return { text: completion.choices[0]?.message.content ?? "", stemma: stemmaOf(completion) };
});

/** `responses` of `openai`. */
export const responsesFrontEnd = createModelFrontEnd(async (fetch, model, input) => {
	const response = await openClient(fetch).responses.create({ model, input, store: false });
	return { text: response.output_text, stemma: stemmaOf(response) };
});

/** `messages` of Anthropic's SDK. */
export const messagesFrontEnd = createModelFrontEnd(async (fetch, model, content) => {
	const { Anthropic } = await loadModelClients();
	const anthropic = new Anthropic({
		authToken: "replaced",
		baseURL: "http://service.test",
		maxRetries: 0,
		fetch,
	});
	const message = await anthropic.messages.create({
		model,
		max_tokens: 4096,
		messages: [{ role: "user", content }],
	});
	return { text: message.content.map(({ text = "" }) => text).join(""), stemma: stemmaOf(message) };
});

/** The part of Anthropic's SDK that is used here: it is installed with the other clients. */
interface ModelClients {
	readonly Anthropic: new (
		options: object,
	) => {
		readonly messages: {
			create(request: object): Promise<{ readonly content: readonly { readonly text?: string }[] }>;
		};
	};
}

const loadModelClients = (): Promise<ModelClients> =>
	import(/* @vite-ignore */ new URL("../programs/model-clients.mjs", import.meta.url).href);

/** A field that the types of vendors do not have. */
const stemmaOf = (reply: object): Reply["stemma"] => (reply as Reply).stemma;
