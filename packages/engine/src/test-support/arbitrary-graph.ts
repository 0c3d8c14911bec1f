import { type AgentEdge, type AgentGraph, type AgentNode, type Json, validateAgent } from "@stemma/core";
import fc from "fast-check";
import type { LinePlan } from "./reference-ports";

const KINDS = ["agent", "agent", "output", "knowledge", "knowledge", "tool", "remote", "url"] as const;

const FIELDS: Readonly<Record<(typeof KINDS)[number] | "coordinator", object>> = {
	coordinator: { kind: "coordinator", instructions: "Answer for {{context.customer}}." },
	agent: { kind: "agent" },
	output: { kind: "agent", output: { type: "object", required: ["mood"] } },
	knowledge: { kind: "knowledge", knowledgeBases: ["kb"] },
	tool: { kind: "tool", tool: "echo", arguments: { by: "desk" } },
	remote: { kind: "remote", agentId: "ag_1" },
	url: { kind: "remote", url: "https://agent.example" },
};

interface NodePlan {
	readonly kind: keyof typeof FIELDS;
	readonly maxTurns: number | undefined;
	readonly approval: boolean;
}

interface EdgePlan {
	readonly from: number;
	readonly to: number;
	readonly mode: "call" | "handoff" | "before" | "then" | "guarded";
	readonly maxCalls: number | undefined;
	readonly when: number;
}

const GUARDS = [
	{ path: "", equals: "go" },
	{ path: "/mood", equals: "go" },
	{ path: "/mood", in: ["go", "stop"] },
	{ path: "/passages/0", exists: true },
	{ path: "/passages/0/text", in: ["Fact a.", "Fact b."] },
	{ path: "", exists: true },
] as const;

/** What graphs are made of. Each part is there only where it is asked for. */
export interface GraphParts {
	readonly nodes: number;
	readonly edges: number;
	/** At most one `before`, one plain `then` and one call at a time leave a node, so that all order is determined. */
	readonly isSequential: boolean;
	readonly hasHandoffs: boolean;
	readonly hasApprovals: boolean;
}

/** Valid graphs, most of whose nodes are reached. */
export function arbitraryGraph(parts: GraphParts): fc.Arbitrary<AgentGraph> {
	const turns = rarely(3, fc.integer({ min: 1, max: 4 }));
	const approval = parts.hasApprovals ? fc.boolean() : fc.constant(false);
	const modes = (
		["call", "before", "then", "guarded", ...(parts.hasHandoffs ? ["handoff"] : [])] as const
	).map((mode) => mode as EdgePlan["mode"]);
	return fc
		.record({
			nodes: fc.array(fc.record<NodePlan>({ kind: fc.constantFrom(...KINDS), maxTurns: turns, approval }), {
				minLength: 1,
				maxLength: parts.nodes - 1,
				size: "max",
			}),
			edges: fc.array(
				fc.record<EdgePlan>({
					from: fc.nat(parts.nodes - 1),
					to: fc.nat(parts.nodes - 1),
					mode: fc.constantFrom(...modes),
					maxCalls: turns,
					when: fc.nat(GUARDS.length - 1),
				}),
				{ minLength: 1, maxLength: parts.edges, size: "max" },
			),
			hasOutput: fc.nat(4).map((one) => one === 4),
			limits: fc.record({
				maxSteps: fc.constantFrom(64, 64, 64, 5, 12, 20),
				maxDepth: fc.constantFrom(8, 8, 1, 2),
			}),
		})
		.map(({ nodes, edges, hasOutput, limits }) => {
			const coordinator = {
				id: "n0",
				...FIELDS.coordinator,
				...(hasOutput ? { output: { type: "object" } } : {}),
			};
			const list = [coordinator, ...nodes.map(toNode)] as [AgentNode, ...AgentNode[]];
			return { nodes: list, edges: toEdges(list, edges, parts.isSequential), limits };
		})
		.filter((graph) => validateAgent(graph).success);
}

function toNode({ kind, maxTurns, approval }: NodePlan, index: number): AgentNode {
	const fields = FIELDS[kind] as { kind: AgentNode["kind"] };
	const isModel = fields.kind === "agent";
	const hasApproval = approval && (fields.kind === "tool" || fields.kind === "remote");
	return {
		id: `n${index + 1}`,
		...fields,
		...(isModel && maxTurns !== undefined ? { maxTurns } : {}),
		...(hasApproval ? { approval } : {}),
	} as AgentNode;
}

/** Of the modes that may leave a node, each once, and `then` edges all plain or a switch. */
function toEdges(
	nodes: readonly AgentNode[],
	plans: readonly EdgePlan[],
	isSequential: boolean,
): AgentEdge[] {
	const edges: AgentEdge[] = [];
	const has = (test: (edge: AgentEdge) => boolean): boolean => edges.some(test);
	const switches = new Set<string>();
	for (const [index, plan] of plans.entries()) {
		// The first ones lead to each node from one before it.
		const isFirst = index + 1 < nodes.length;
		const from = nodes[plan.from % (isFirst ? index + 1 : nodes.length)] as AgentNode;
		const to = nodes[isFirst ? index + 1 : plan.to % nodes.length] as AgentNode;
		const isModel = from.kind === "coordinator" || from.kind === "agent";
		const mode = isModel || plan.mode === "then" ? plan.mode : "guarded";
		const edgeMode = mode === "guarded" ? "then" : mode;
		const conflictingModes = { call: "handoff", handoff: "call" } as Readonly<Record<string, string>>;
		if (from === to) continue;
		if (
			has(
				(edge) =>
					edge.from === from.id &&
					edge.to === to.id &&
					[edgeMode, conflictingModes[edgeMode]].includes(edge.mode),
			)
		)
			continue;
		const isFull = isSequential && has((edge) => edge.from === from.id && edge.mode === edgeMode);
		const isSwitch = edgeMode === "then" && has((edge) => edge.from === from.id && edge.mode === "then");
		const isPlain = isSwitch && !switches.has(from.id);
		if (isFull && (edgeMode === "before" || (edgeMode === "then" && isPlain))) continue;
		const isGuarded = edgeMode === "then" && (isSwitch ? !isPlain : mode === "guarded");
		if (isGuarded) switches.add(from.id);
		edges.push({
			from: from.id,
			to: to.id,
			mode: edgeMode,
			...(isGuarded ? { when: GUARDS[plan.when] } : {}),
			...(edgeMode === "call" && plan.maxCalls !== undefined ? { maxCalls: plan.maxCalls } : {}),
		} as AgentEdge);
	}
	return edges;
}

const WORDS = ["go", "go", "go", "stop", "hello", "again", "lost"] as const;

const TEXTS = ["go", "go", "stop", "So it is.", "Here it is.", ""] as const;

const JSONS = [
	'{"mood":"go"}',
	'{"mood":"stop","why":["cite"]}',
	'{"mood":"good cite"}',
	"{}",
	"no JSON",
] as const;

/** Mostly nothing: one in so many times something. */
const rarely = <Item>(oneIn: number, something: fc.Arbitrary<Item>): fc.Arbitrary<Item | undefined> =>
	fc.oneof({ arbitrary: fc.constant(undefined), weight: oneIn - 1 }, { arbitrary: something, weight: 1 });

/** What models say: texts for guards and outputs, citations, calls of what they may and may not, and failures. */
export function arbitraryLines(isSequential: boolean): fc.Arbitrary<readonly LinePlan[]> {
	const fault = rarely(6, fc.constantFrom("unknown", "no JSON", "no object"));
	const call = fc.record({ to: fc.nat(11), word: fc.constantFrom(...WORDS), fault }).map(omitUndefinedFields);
	const line = fc
		.record({
			text: fc.constantFrom(...TEXTS),
			json: fc.constantFrom(...JSONS),
			cites: fc.constantFrom(0, 0, 1, 2, 3, 99, undefined),
			calls: fc.option(fc.array(call, { minLength: 1, maxLength: isSequential ? 1 : 4, size: "max" }), {
				nil: undefined,
				freq: 2,
			}),
			ending: rarely(7, fc.constantFrom("fails", "filtered", "length")),
		})
		// A rare ending stays rare, and one that cuts a text leaves no calls.
		.map(({ ending, calls, ...rest }) =>
			ending === "length" ? { ...rest, ending } : { ...rest, calls, ending },
		)
		.map(omitUndefinedFields) as fc.Arbitrary<LinePlan>;
	const plain = fc.record({
		text: fc.constantFrom(...TEXTS),
		json: fc.constantFrom(...JSONS),
		cites: fc.nat(3),
	});
	return fc.array(fc.oneof({ arbitrary: line, weight: 4 }, { arbitrary: plain, weight: 1 }), {
		minLength: 1,
		maxLength: 16,
		size: "max",
	});
}

const omitUndefinedFields = <Fields extends object>(fields: Fields): Fields =>
	Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)) as Fields;

/** What runs are given: texts, JSON, and conversations. */
export const arbitraryInput: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
	"hello",
	"go",
	"lost",
	{ query: "again" },
	{ input: "go", order: 7 },
	[true],
	{
		messages: [
			{ role: "user", content: "hello" },
			{ role: "assistant", content: "Yes?" },
			{ role: "user", content: "go" },
		],
	},
);
