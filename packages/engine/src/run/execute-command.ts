import type { ChatEvent, ChatReply, ReceiptRow, RunError } from "@stemma/core";
import { describeTools } from "../io/describe-tools";
import { readReceipt } from "../io/port-receipt";
import { toAgentRequest, toChatRequest, toRetrievalRequest, toToolRequest } from "../io/port-requests";
import { checkReply, checkRetrieval } from "../io/port-results";
import type { EnginePorts } from "../io/ports";
import { requestAgent } from "../io/request-agent";
import { requestTool } from "../io/request-tool";
import { toRunError } from "../io/to-run-error";
import { checkOutput } from "../nodes/end-turn";
import { type AbortScopes, linkSignal } from "./abort-scopes";
import type {
	ByIndex,
	CallReport,
	Command,
	ModelCommand,
	RemoteCommand,
	RetrieveCommand,
	Signal,
	ToolCommand,
} from "./command";
import { resolveModels } from "./prepare-run";
import type { RunState } from "./run-state";

/** Dependencies of carrying out a command. The run is only read. */
export interface CommandContext {
	readonly run: RunState;
	readonly ports: EnginePorts;
	readonly scopes: AbortScopes;
	/** Tells the run what came of it. */
	dispatch(signal: Signal): void;
	/** Returns whether a listener failed, so that results no longer matter. */
	isAborted(): boolean;
}

/** Carries out a command of a run and dispatches the result. */
export function executeCommand(context: CommandContext, command: Command): void {
	const { scopes } = context;
	if (command.type === "model") void callModel(context, command);
	else if (command.type === "retrieve") void retrieve(context, command);
	else if (command.type === "tool") void callTool(context, command);
	else if (command.type === "remote") void callAgent(context, command);
	else if (command.type === "resolve") void resolveAll(context);
	else if (command.type === "idle") context.dispatch({ type: "idle" });
	else if (command.type === "abort") scopes.abort(command.scope);
	else scopes.open(command.scope, command.within);
}

async function resolveAll({ run, ports, scopes, dispatch }: CommandContext): Promise<void> {
	const options = { signal: scopes.signalOf(0) };
	// What has begun nothing has nothing to lose.
	const isResumed = run.invocations > 0;
	const pendingModels = resolveModels(run.graph, ports.models, run.runId, options);
	// All are asked at once, and none of them rejects.
	const tools =
		run.graph.toolNodes.length === 0
			? []
			: await describeTools(run.graph, ports.tools, { ...options, isResumed });
	const models = await pendingModels;
	if (!isList(models)) dispatch({ type: "resolve-failed", error: models });
	else if (!isList(tools)) dispatch({ type: "resolve-failed", error: tools });
	else dispatch({ type: "resolved", models, tools });
}

/** Lists that cannot be changed are lists, too. */
const isList = <Value>(outcome: ByIndex<Value> | RunError): outcome is ByIndex<Value> =>
	Array.isArray(outcome);

/** Little of it is kept while a model thinks: what is done with an event is done elsewhere. */
async function callModel(context: CommandContext, command: ModelCommand): Promise<void> {
	try {
		// Leaving the loop ends the stream, also of a model that does not heed the signal.
		for await (const event of openStream(context, command)) {
			if (event.type === "finish") {
				const reply = checkReply(event.reply);
				const checked = startOutputCheck(context, command, reply);
				const output = checked instanceof Promise ? await checked : checked;
				return context.dispatch({ type: "reply", command, reply, output });
			}
			if (!onModelEvent(context, command, event)) return;
		}
		context.dispatch({ type: "failed", command, error: STREAM_INCOMPLETE });
	} catch (error) {
		fail(context, command, error);
	}
}

function openStream({ run, scopes }: CommandContext, command: ModelCommand): AsyncIterable<ChatEvent> {
	const { node, scope } = command.invocation;
	const model = run.models[node.index]?.model;
	// Every model node is resolved before the first is asked.
	if (model === undefined) throw new TypeError(`"${node.id}" has no model.`);
	return model.stream(toChatRequest(run, command), { signal: scopes.signalOf(scope) });
}

const startOutputCheck = ({ ports, scopes }: CommandContext, command: ModelCommand, reply: ChatReply) =>
	checkOutput(command, reply, ports.validate, { signal: scopes.signalOf(command.invocation.scope) });

/** @returns whether the model is to go on: it was not given up. */
function onModelEvent(
	{ run, dispatch, isAborted }: CommandContext,
	command: ModelCommand,
	event: ChatEvent,
): boolean {
	const signal = toSignal(command, event);
	if (signal !== undefined) dispatch(signal);
	return !isAborted() && run.pendingCalls.has(command);
}

function fail({ dispatch }: CommandContext, command: ModelCommand, error: unknown): void {
	dispatch({
		type: "failed",
		command,
		error: toRunError(error, "model_failed"),
		report: readCallReport(error),
	});
}

async function retrieve(
	{ run, ports, scopes, dispatch }: CommandContext,
	command: RetrieveCommand,
): Promise<void> {
	const signal = scopes.signalOf(0);
	const setReceiptReader = (read: () => readonly ReceiptRow[]): void => {
		// Read as a field, since what a port passes may throw.
		const source = Object.defineProperty({}, "receipt", { get: read });
		command.readReceipt = () => readReceipt(source);
	};
	try {
		const request = toRetrievalRequest(run, command.entry);
		const retrieval = await ports.retriever.retrieve(request, { signal, setReceiptReader });
		dispatch({ type: "passages", command, retrieval: checkRetrieval(retrieval) });
	} catch (error) {
		dispatch({
			type: "failed",
			command,
			error: toRunError(error, "retrieval_failed"),
			receipt: readReceipt(error),
		});
	}
}

async function callTool(
	{ run, ports, scopes, dispatch }: CommandContext,
	command: ToolCommand,
): Promise<void> {
	const signal = scopes.toolSignalOf(command.invocation.scope);
	const error = run.tools[command.invocation.node.index]?.error;
	if (error !== undefined) return dispatch({ type: "failed", command, error });
	const outcome = await requestTool(ports.tools, toToolRequest(run, command), { signal });
	if ("error" in outcome) dispatch({ type: "failed", command, error: outcome.error });
	else dispatch({ type: "output", command, output: outcome.output });
}

async function callAgent(context: CommandContext, command: RemoteCommand): Promise<void> {
	const { run, ports, scopes, dispatch } = context;
	// A port may tell of text at once: the commands beside this one are begun first, or found to be unwanted.
	await undefined;
	const { invocation } = command;
	const isDiscarded = (): boolean => context.isAborted() || run.result !== undefined || invocation.closed;
	if (isDiscarded()) return;
	const { signal, abort, release } = linkSignal(scopes.signalOf(invocation.scope));
	const outcome = await requestAgent(ports.agents, toAgentRequest(run, command), {
		signal,
		onText(text) {
			if (isDiscarded() || typeof text !== "string" || text === "") return;
			dispatch({ type: "remote-text", command, text });
			// It said too much, or what it says is not wanted any more.
			if (isDiscarded()) abort();
		},
		onReset: () => dispatch({ type: "remote-reset", command }),
	});
	release();
	if ("error" in outcome) dispatch({ type: "failed", command, ...outcome });
	else dispatch({ type: "outcome", command, outcome: outcome.outcome });
}

/** Events that only a newer model knows are passed over. */
function toSignal(command: ModelCommand, event: ChatEvent): Signal | undefined {
	switch (event.type) {
		case "text.delta":
			return { type: "text", command, text: String(event.text) };
		case "reasoning.delta":
			return { type: "reasoning", command, text: String(event.text) };
		default:
			return undefined;
	}
}

const STREAM_INCOMPLETE = {
	code: "model_cut_off",
	message: "The model's stream ended before its reply was whole.",
	hint: "Run it again. If it happens often, check the proxies between this process and the model.",
};

/** Reads the report on a model's call from its error: attempts, usage, or the whole receipt row. */
function readCallReport(error: unknown): CallReport {
	if (typeof error !== "object" || error === null) return {};
	try {
		const { attempts, usage }: CallReport = error;
		const [receipt] = readReceipt(error);
		return {
			...(attempts === undefined ? {} : { attempts }),
			...(usage === undefined ? {} : { usage }),
			...(receipt === undefined ? {} : { receipt }),
		};
	} catch {
		// What is thrown may throw when it is read.
		return {};
	}
}
