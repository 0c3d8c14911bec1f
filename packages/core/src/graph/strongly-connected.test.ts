import fc from "fast-check";
import { expect, test } from "vitest";
import { findCyclicComponents, walkCycle } from "./strongly-connected";

test("finds each component with a cycle once", () => {
	const successors = [[1], [2], [0, 3], [4], [5], [4], [6]];
	const components = findCyclicComponents(successors).map((component) => [...component].sort());
	expect(components).toContainEqual([0, 1, 2]);
	expect(components).toContainEqual([4, 5]);
	expect(components).toHaveLength(2);
});

test("a chain of 100,000 does not exhaust the stack", () => {
	const count = 100_000;
	const ring = Array.from({ length: count }, (_, vertex) => [(vertex + 1) % count]);
	expect(findCyclicComponents(ring)[0]).toHaveLength(count);
});

test("walks a real cycle of each component", () => {
	const vertices = 8;
	const edges = fc.array(fc.tuple(fc.nat(vertices - 1), fc.nat(vertices - 1)), { maxLength: 24 });
	fc.assert(
		fc.property(edges, (pairs) => {
			const successors: number[][] = Array.from({ length: vertices }, () => []);
			for (const [from, to] of pairs) successors[from]?.push(to);
			for (const component of findCyclicComponents(successors)) {
				const cycle = walkCycle(component, successors);
				expect(cycle.length).toBeGreaterThan(1);
				expect(new Set(cycle).size).toBe(cycle.length);
				for (const [index, vertex] of cycle.entries())
					expect(successors[vertex]).toContain(cycle[(index + 1) % cycle.length]);
			}
		}),
	);
});
