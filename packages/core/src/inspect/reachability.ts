import { findComponents } from "../graph/strongly-connected";

/**
 * Computes, for all vertices of a directed graph at once, which marked vertices a path of one or more edges leads to.
 * The sets are one bit for each mark and component, since lists for each vertex would be built over and over.
 *
 * @returns for a vertex, the positions in `targets` of those that it reaches, in ascending order.
 */
export function findReachable(
	successors: readonly (readonly number[])[],
	targets: readonly number[],
): (vertex: number) => number[] {
	const words = Math.ceil(targets.length / 32);
	const components = findComponents(successors);
	const componentOf = new Uint32Array(successors.length);
	const rows = new Uint32Array(components.length * words);
	const set = (row: number, target: number): void => {
		const word = row * words + (target >> 5);
		rows[word] = (rows[word] ?? 0) | (1 << (target & 31));
	};
	const add = (row: number, from: number): void => {
		for (let word = 0; word < words; word++)
			rows[row * words + word] = (rows[row * words + word] ?? 0) | (rows[from * words + word] ?? 0);
	};

	for (const [row, component] of components.entries())
		for (const vertex of component) componentOf[vertex] = row;
	for (const [target, vertex] of targets.entries()) set(componentOf[vertex] ?? 0, target);
	for (const [row, component] of components.entries())
		for (const vertex of component)
			for (const next of successors[vertex] ?? [])
				if (componentOf[next] !== row) add(row, componentOf[next] ?? 0);

	return (vertex) => {
		const row = componentOf[vertex] ?? 0;
		const isAlone = components[row]?.length === 1;
		const found: number[] = [];
		for (let word = 0; word < words; word++)
			for (let bits = rows[row * words + word] ?? 0; bits !== 0; bits &= bits - 1) {
				const target = word * 32 + 31 - Math.clz32(bits & -bits);
				// A vertex reaches itself only over a cycle.
				if (!isAlone || targets[target] !== vertex) found.push(target);
			}
		return found;
	};
}
