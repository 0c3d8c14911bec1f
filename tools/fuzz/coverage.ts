import { type FuzzOperation, toName } from "./fuzz-request";

/** How many answers each operation gave, by status. */
export interface Coverage {
	add(operation: FuzzOperation, status: number): void;
	/** Answers with a status of success. */
	countSuccesses(): number;
	/** Operations none of whose answers had a status of success. */
	listUnreached(): readonly string[];
	/** A line for each operation: its answers by status, and the statuses that it has in the document and never gave. */
	format(): string;
}

const isSuccess = (status: string): boolean => Number(status) >= 200 && Number(status) < 400;

export function createCoverage(operations: readonly FuzzOperation[]): Coverage {
	const counts = new Map<string, Record<string, number>>(operations.map((one) => [toName(one), {}]));
	const countSuccessesOf = (statuses: Record<string, number>): number =>
		Object.entries(statuses).reduce((sum, [status, count]) => sum + (isSuccess(status) ? count : 0), 0);

	return {
		add(operation, status) {
			const statuses = counts.get(toName(operation)) ?? {};
			counts.set(toName(operation), { ...statuses, [status]: (statuses[status] ?? 0) + 1 });
		},
		countSuccesses: () => [...counts.values()].reduce((sum, one) => sum + countSuccessesOf(one), 0),
		listUnreached: () =>
			[...counts].filter(([, statuses]) => countSuccessesOf(statuses) === 0).map(([name]) => name),
		format: () =>
			operations
				.map((one) => {
					const statuses = counts.get(toName(one)) ?? {};
					const seen = Object.entries(statuses).map(([status, count]) => `${status}×${count}`);
					const unseen = Object.keys(one.operation.responses ?? {}).filter((status) => !(status in statuses));
					return `${toName(one)}: ${seen.join(" ")}; never ${unseen.join(" ") || "none"}`;
				})
				.join("\n"),
	};
}
