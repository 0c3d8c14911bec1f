import type { ChatEvent, ChatReply, RunError } from "@stemma/core";
import { type AbortScopes, followSignal } from "./abort-scopes";
import type { Command, ModelCommand, RemoteCommand, RetrieveCommand, Signal, ToolCommand } from "./command";
import { describeTools } from "./describe-tools";
import { checkOutput } from "./end-turn";
import { readReceipt } from "./port-receipt";
import { toAgentRequest, toChatRequest, toRetrievalRequest, toToolRequest } from "./port-requests";
import { checkReply, checkRetrieval } from "./port-results";
import type { EnginePorts } from "./ports";
import { resolveModels } from "./prepare-run";
import type { CallReport } from "./receipt";
import { requestAgent } from "./request-agent";
import { requestTool } from "./request-tool";
import type { ByIndex, RunState } from "./run-state";
import { toRunError } from "./to-run-error";

/** What a command is carried out with. The run is only read. */
export interface World {
	readonly run: RunState;
	readonly ports: EnginePorts;
	readonly scopes: AbortScopes;
	/** Tells the run what came of it. */
	dispatch(signal: Signal): void;
	/** Nobody is left to tell. */
	isBroken(): boolean;
}

/** Does what a run wants of the world; what comes of it is dispatched. */
export function carryOut(world: World, command: Command): void {
	const { scopes } = world;
	if (command.type === "model") void callModel(world, command);
	else if (command.type === "retrieve") void retrieve(world, command);
	else if (command.type === "tool") void callTool(world, command);
	else if (command.type === "remote") void callAgent(world, command);
	else if (command.type === "resolve") void resolveAll(world);
	else if (command.type === "rest") world.dispatch({ type: "rest" });
	else if (command.type === "abort") scopes.abort(command.scope);
	else scopes.open(command.scope, command.within);
}

async function resolveAll({ run, ports, scopes, dispatch }: World): Promise<void> {
	const options = { signal: scopes.signalOf(0) };
	// What has begun nothing has nothing to lose.
	const goesOn = run.invocations > 0;
	const asked = resolveModels(run.graph, ports.models, run.runId, options);
	// All are asked at once, and none of them rejects.
	const tools =
		run.graph.toolNodes.length === 0
			? []
			: await describeTools(run.graph, ports.tools, { ...options, goesOn });
	const models = await asked;
	if (!isList(models)) dispatch({ type: "refused", error: models });
	else if (!isList(tools)) dispatch({ type: "refused", error: tools });
	else dispatch({ type: "resolved", models, tools });
}

/** Lists that cannot be changed are lists, too. */
const isList = <Value>(outcome: ByIndex<Value> | RunError): outcome is ByIndex<Value> =>
	Array.isArray(outcome);

/** Little of it is kept while a model thinks: what is done with an event is done elsewhere. */
async function callModel(world: World, command: ModelCommand): Promise<void> {
	try {
		// Leaving the loop ends the stream, also of a model that does not heed the signal.
		for await (const event of openStream(world, command)) {
			if (event.type === "finish") {
				const reply = checkReply(event.reply);
				const checked = startCheck(world, command, reply);
				const output = checked instanceof Promise ? await checked : checked;
				return world.dispatch({ type: "reply", command, reply, output });
			}
			if (!hear(world, command, event)) return;
		}
		world.dispatch({ type: "failed", command, error: CUT_OFF });
	} catch (error) {
		fail(world, command, error);
	}
}

function openStream({ run, scopes }: World, command: ModelCommand): AsyncIterable<ChatEvent> {
	const { node, scope } = command.invocation;
	const model = run.models[node.index]?.model;
	// Every model node is resolved before the first is asked.
	if (model === undefined) throw new TypeError(`"${node.id}" has no model.`);
	return model.stream(toChatRequest(run, command), { signal: scopes.signalOf(scope) });
}

const startCheck = ({ ports, scopes }: World, command: ModelCommand, reply: ChatReply) =>
	checkOutput(command, reply, ports.validate, { signal: scopes.signalOf(command.invocation.scope) });

/** @returns whether the model is to go on: it was not given up. */
function hear({ run, dispatch, isBroken }: World, command: ModelCommand, event: ChatEvent): boolean {
	const heard = toSignal(command, event);
	if (heard !== undefined) dispatch(heard);
	return !isBroken() && run.calls.has(command);
}

function fail({ dispatch }: World, command: ModelCommand, error: unknown): void {
	dispatch({ type: "failed", command, error: toRunError(error, "model_failed"), spent: readSpent(error) });
}

async function retrieve({ run, ports, scopes, dispatch }: World, command: RetrieveCommand): Promise<void> {
	const signal = scopes.signalOf(0);
	try {
		const retrieval = await ports.retriever.retrieve(toRetrievalRequest(run, command.entry), { signal });
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

async function callTool({ run, ports, scopes, dispatch }: World, command: ToolCommand): Promise<void> {
	const signal = scopes.toolSignalOf(command.invocation.scope);
	const refusal = run.tools[command.invocation.node.index]?.refusal;
	if (refusal !== undefined) return dispatch({ type: "failed", command, error: refusal });
	const outcome = await requestTool(ports.tools, toToolRequest(run, command), { signal });
	if ("error" in outcome) dispatch({ type: "failed", command, error: outcome.error });
	else dispatch({ type: "output", command, output: outcome.output });
}

async function callAgent(world: World, command: RemoteCommand): Promise<void> {
	const { run, ports, scopes, dispatch } = world;
	// A port may tell of text at once: the commands beside this one are begun first, or found to be unwanted.
	await undefined;
	const { invocation } = command;
	const isUnwanted = (): boolean => world.isBroken() || run.result !== undefined || invocation.closed;
	if (isUnwanted()) return;
	const { signal, abort, release } = followSignal(scopes.signalOf(invocation.scope));
	const outcome = await requestAgent(ports.agents, toAgentRequest(run, command), {
		signal,
		onText(text) {
			if (isUnwanted() || typeof text !== "string" || text === "") return;
			dispatch({ type: "told", command, text });
			// It said too much, or what it says is not wanted any more.
			if (isUnwanted()) abort();
		},
		onReset: () => dispatch({ type: "untold", command }),
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

const CUT_OFF = {
	code: "model_cut_off",
	message: "The model's stream ended before its reply was whole.",
	hint: "Run it again; if it happens often, look at what stands between here and the model.",
};

/** What the error of a model's call reports of it: how often it was tried, what it took, or the whole row. */
function readSpent(error: unknown): CallReport {
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
