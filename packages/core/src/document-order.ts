import type { AgentGraphIssue } from "./errors";

/**
 * Issues in document order: what concerns the whole graph or a missing section first, then section by section and
 * element by element; those of one element stay as they were found. A counting sort, linear in issues and elements.
 */
export function toDocumentOrder(
	issues: readonly AgentGraphIssue[],
	graph: Readonly<Record<string, unknown>>,
): AgentGraphIssue[] {
	const starts = new Map<string | number | undefined, number>();
	let places = 1;
	for (const [section, value] of Object.entries(graph)) {
		starts.set(section, places);
		places += Array.isArray(value) ? value.length + 1 : 1;
	}
	const placeOf = ({ path: [section, element] }: AgentGraphIssue): number => {
		const start = starts.get(section);
		return start === undefined ? 0 : start + (typeof element === "number" ? element + 1 : 0);
	};

	const at = new Uint32Array(issues.length);
	const ends = new Uint32Array(places + 1);
	const count = (place: number): number => ends[place] ?? 0;
	let index = 0;
	for (const issue of issues) {
		const place = placeOf(issue);
		at[index++] = place;
		ends[place + 1] = count(place + 1) + 1;
	}
	for (let place = 1; place <= places; place++) ends[place] = count(place) + count(place - 1);
	const ordered = new Array<AgentGraphIssue>(issues.length);
	index = 0;
	for (const issue of issues) {
		const place = at[index++] ?? 0;
		ordered[count(place)] = issue;
		ends[place] = count(place) + 1;
	}
	return ordered;
}
