import type { AgentGraphIssue } from "../errors";

/**
 * Issues in document order: what concerns the whole graph or a missing section first, then section by section and
 * element by element; those of one element stay as they were found. A counting sort, linear in issues and elements.
 */
export function toDocumentOrder(
	issues: readonly AgentGraphIssue[],
	graph: Readonly<Record<string, unknown>>,
): AgentGraphIssue[] {
	const starts = new Map<string | number | undefined, number>();
	let slotCount = 1;
	for (const [section, value] of Object.entries(graph)) {
		starts.set(section, slotCount);
		slotCount += Array.isArray(value) ? value.length + 1 : 1;
	}
	const slotOf = new Uint32Array(issues.length);
	const offsets = new Uint32Array(slotCount + 1);
	// Loops by index and no destructuring: of a hopeless graph this is tens of thousands of issues in code that is cold.
	for (let index = 0; index < issues.length; index++) {
		const path = issues[index]?.path ?? [];
		const start = starts.get(path[0]) ?? 0;
		const element = path[1];
		const slot = start > 0 && typeof element === "number" ? start + element + 1 : start;
		slotOf[index] = slot;
		offsets[slot + 1] = (offsets[slot + 1] ?? 0) + 1;
	}
	for (let slot = 1; slot <= slotCount; slot++)
		offsets[slot] = (offsets[slot] ?? 0) + (offsets[slot - 1] ?? 0);
	const ordered = issues.slice();
	for (let index = 0; index < issues.length; index++) {
		const slot = slotOf[index] ?? 0;
		const to = offsets[slot] ?? 0;
		ordered[to] = issues[index] as AgentGraphIssue;
		offsets[slot] = to + 1;
	}
	return ordered;
}
