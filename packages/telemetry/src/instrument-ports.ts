import type { ChatRequest, ReceiptRow } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type {
	AgentPort,
	EnginePorts,
	ModelPort,
	PortCallOptions,
	ResolvedModel,
	Retriever,
	ToolPort,
} from "@stemma/engine";
import { STEMMA_PROVIDER, toServerAttributes } from "./genai-attributes";
import type { RunTrace } from "./run-trace";
import type { SpanAttributes, SpanOptions, StartSpan } from "./span";
import { claimUsage } from "./trace-context";
import { traceModel } from "./trace-model";
import { traceRows } from "./trace-rows";
import { withSpan } from "./with-span";

/** Options of ports whose calls are recorded as spans. */
export interface InstrumentOptions {
	/** The trace of a run; none: its calls are not traced. */
	readonly find: (runId: string) => RunTrace | undefined;
	/** Checks whether any run was ever traced: models are wrapped from then on. */
	readonly hasTraces: () => boolean;
	/** Model calls on the receipts of retrievals get their spans where they are made, in this process. Default false. */
	readonly tracesRetrievals?: boolean | undefined;
}

/** Ports with a span for each call of a model, a retriever, a tool or a remote agent, which carries its trace context. */
export const instrumentPorts = (ports: EnginePorts, options: InstrumentOptions): EnginePorts => ({
	models: traceModels(ports.models, options),
	retriever: traceRetriever(ports.retriever, options),
	tools: traceTools(ports.tools, options),
	agents: traceAgents(ports.agents, options),
	validate: ports.validate,
});

function traceModels(models: ModelPort, { find, hasTraces }: InstrumentOptions): ModelPort {
	const findStarter = ({ origin }: ChatRequest): StartSpan | undefined =>
		origin && find(origin.runId)?.childOf(origin.invocation);
	const trace = ({ model, ...account }: ResolvedModel): ResolvedModel => ({
		...account,
		model: traceModel(model, { payer: account.payer, stage: "answer", findStarter }),
	});
	const withTraceContext = (runId: string, call: PortCallOptions): PortCallOptions => ({
		...call,
		traceContext: find(runId)?.traceContext,
	});
	return {
		async resolve(request, call) {
			if (!hasTraces()) return models.resolve(request, call);
			return trace(await models.resolve(request, withTraceContext(request.runId, call)));
		},
		...(models.resolveAll && {
			async resolveAll(request, call) {
				const context = hasTraces() ? withTraceContext(request.runId, call) : call;
				const resolved = (await models.resolveAll?.(request, context)) ?? [];
				return hasTraces() ? resolved.map(trace) : resolved;
			},
		}),
	};
}

const traceRetriever = (retriever: Retriever, options: InstrumentOptions): Retriever => ({
	async retrieve(request, call) {
		const trace = options.find(request.runId);
		const described = describeRetrieval(request.knowledgeBases, request.topK);
		const span = trace?.childOf(request.invocation)({
			...described,
			attributes: {
				...described.attributes,
				"gen_ai.retrieval.query.text": trace.content ? request.query : undefined,
				"stemma.node": request.node,
			},
		});
		if (trace === undefined || span === undefined) return retriever.retrieve(request, call);
		const startedAt = clock.now();
		const traceContext = options.tracesRetrievals ? span.traceContext : claimUsage(span.traceContext);
		const traceReceipt = (rows: readonly ReceiptRow[]): void => {
			if (!options.tracesRetrievals) traceRows(trace.childOfSpan(span), rows, startedAt);
		};
		return withSpan(
			span,
			{ fallback: "retrieval_failed", signal: call.signal, onError: traceReceipt },
			async () => {
				const retrieval = await retriever.retrieve(request, { ...call, traceContext });
				traceReceipt(retrieval.receipt ?? []);
				return retrieval;
			},
		);
	},
});

const MAX_ID_CHARACTERS = 100;

/** The span of a search in some knowledge bases, without its place. */
export const describeRetrieval = (
	knowledgeBases: readonly string[],
	topK: number | undefined,
): SpanOptions & { readonly attributes: SpanAttributes } => {
	const [only, ...others] = knowledgeBases;
	return {
		// Ids are as a caller wrote them, and there may be hundreds: names of spans are few.
		name: "retrieval",
		kind: "client",
		attributes: {
			"gen_ai.operation.name": "retrieval",
			"gen_ai.provider.name": STEMMA_PROVIDER,
			"gen_ai.data_source.id": others.length === 0 ? only?.slice(0, MAX_ID_CHARACTERS) : undefined,
			"gen_ai.retrieval.top_k": topK,
		},
	};
};

const traceTools = (tools: ToolPort, { find }: InstrumentOptions): ToolPort => ({
	describe: (tool, call) => tools.describe(tool, call),
	async call(request, call) {
		const trace = find(request.runId);
		const { node, tool, invocation, server } = request;
		const span = trace?.childOf(invocation)({
			name: `execute_tool ${tool}`,
			kind: "internal",
			attributes: {
				"gen_ai.operation.name": "execute_tool",
				"gen_ai.tool.name": tool,
				"gen_ai.tool.type": server === undefined ? "function" : "extension",
				"gen_ai.tool.call.id": trace.callIdOf(invocation),
				"gen_ai.tool.call.arguments": trace.content ? JSON.stringify(request.arguments) : undefined,
				"mcp.method.name": server === undefined ? undefined : "tools/call",
				...toAddressAttributes(server),
				"stemma.node": node,
			},
		});
		if (trace === undefined || span === undefined) return tools.call(request, call);
		const { traceContext } = span;
		return withSpan(span, { fallback: "tool_failed", signal: call.signal }, async () => {
			const result = await tools.call(request, { ...call, traceContext });
			if (trace.content) span.set({ "gen_ai.tool.call.result": JSON.stringify(result) });
			return result;
		});
	},
});

const traceAgents = (agents: AgentPort, { find }: InstrumentOptions): AgentPort => ({
	async run(request, call) {
		const trace = find(request.runId);
		const { agent, node, invocation } = request;
		const isAddress = "url" in agent;
		const span = trace?.childOf(invocation)({
			name: `invoke_agent ${node}`,
			kind: "client",
			attributes: {
				"gen_ai.operation.name": "invoke_agent",
				"gen_ai.provider.name": STEMMA_PROVIDER,
				"gen_ai.agent.name": node,
				"gen_ai.agent.id": isAddress ? undefined : agent.agentId,
				...(isAddress ? toAddressAttributes(agent.url) : {}),
				"gen_ai.input.messages": trace.content ? trace.write("user", request.input) : undefined,
				"stemma.node": node,
			},
		});
		if (trace === undefined || span === undefined) return agents.run(request, call);
		const { traceContext } = span;
		return withSpan(span, { fallback: "remote_failed", signal: call.signal }, async () => {
			const outcome = await agents.run(request, { ...call, traceContext });
			if (trace.content) span.set({ "gen_ai.output.messages": trace.write("assistant", outcome.output) });
			return outcome;
		});
	},
});

/** `server.address` and `server.port` of an address. Its path may hold what is nobody's business. */
function toAddressAttributes(url: string | undefined): SpanAttributes {
	try {
		if (url === undefined) return {};
		const { protocol, host, port } = new URL(url);
		return toServerAttributes(port === "" && protocol === "http:" ? `${host}:80` : host);
	} catch {
		// What is no address is refused by the port.
		return {};
	}
}
