/**
 * The strongly connected components of a directed graph that hold a cycle: those of two or more vertices, in the order
 * in which they were found.
 */
export const findCyclicComponents = (successors: readonly (readonly number[])[]): number[][] =>
	findComponents(successors).filter(({ length }) => length > 1);

/**
 * All strongly connected components of a directed graph, each after those that its edges lead to. Tarjan's algorithm
 * without recursion, linear in vertices and edges.
 *
 * @param successors - for each vertex, by index, the vertices that its edges lead to.
 */
export function findComponents(successors: readonly (readonly number[])[]): number[][] {
	const count = successors.length;
	const order = new Int32Array(count).fill(-1);
	const lowest = new Int32Array(count);
	const onStack = new Uint8Array(count);
	const nextEdge = new Int32Array(count);
	const stack: number[] = [];
	const path: number[] = [];
	const components: number[][] = [];
	let visited = 0;

	const enter = (vertex: number): void => {
		order[vertex] = lowest[vertex] = visited++;
		onStack[vertex] = 1;
		stack.push(vertex);
		path.push(vertex);
	};
	const lower = (vertex: number, to: number): void => {
		lowest[vertex] = Math.min(lowest[vertex] ?? 0, to);
	};
	const leave = (vertex: number): void => {
		path.pop();
		const parent = path.at(-1);
		if (parent !== undefined) lower(parent, lowest[vertex] ?? 0);
		if (lowest[vertex] !== order[vertex]) return;
		const component = stack.splice(stack.lastIndexOf(vertex));
		for (const member of component) onStack[member] = 0;
		components.push(component);
	};

	for (let root = 0; root < count; root++) {
		if (order[root] !== -1) continue;
		enter(root);
		while (path.length > 0) {
			const vertex = path.at(-1) ?? 0;
			const edge = nextEdge[vertex] ?? 0;
			nextEdge[vertex] = edge + 1;
			const successor = successors[vertex]?.[edge];
			if (successor === undefined) leave(vertex);
			else if (order[successor] === -1) enter(successor);
			else if (onStack[successor] === 1) lower(vertex, order[successor] ?? 0);
		}
	}
	return components;
}

/**
 * One cycle of a component that {@link findCyclicComponents} found, in the order of its edges and without repeating its
 * start. Every vertex of a component leads to another of it, so walking on must come back.
 */
export function walkCycle(
	component: readonly number[],
	successors: readonly (readonly number[])[],
): readonly number[] {
	const members = new Set(component);
	const positions = new Map<number, number>();
	const walked: number[] = [];
	let vertex = component[0] ?? 0;
	while (!positions.has(vertex)) {
		positions.set(vertex, walked.length);
		walked.push(vertex);
		vertex = successors[vertex]?.find((next) => next !== vertex && members.has(next)) ?? vertex;
	}
	return walked.slice(positions.get(vertex));
}

/** The vertices of a shortest path, both ends included, that stays within some vertices; empty where there is none. */
export function findPath(
	from: number,
	to: number,
	successors: readonly (readonly number[])[],
	within: ReadonlySet<number>,
): readonly number[] {
	const cameFrom = new Map<number, number>([[from, from]]);
	for (const vertex of cameFrom.keys()) {
		if (vertex === to) return backtrack(to, from, cameFrom);
		for (const next of successors[vertex] ?? [])
			if (within.has(next) && !cameFrom.has(next)) cameFrom.set(next, vertex);
	}
	return [];
}

function backtrack(to: number, from: number, cameFrom: ReadonlyMap<number, number>): number[] {
	const path = [to];
	for (let vertex = to; vertex !== from; vertex = path.at(-1) ?? from)
		path.push(cameFrom.get(vertex) ?? from);
	return path.reverse();
}
