import type { Work, WorkClaims, WorkKind } from "./work-claims";

const forever = new AbortController().signal;

/** Asks the instance that is at some work to cancel it; resolves once it has given it back, or where none is at it. */
export async function cancelElsewhere(claims: WorkClaims, work: Work): Promise<void> {
	if (await claims.requestCancel(work)) await claims.untilReleased(work, forever);
}

/**
 * Calls a function with the ids of the work of one kind that other instances want cancelled, whether this one is at it or
 * not. Returns a function that ends that.
 */
export const onCancel = (claims: WorkClaims, kind: WorkKind, cancel: (id: string) => void): (() => void) =>
	claims.onChange((change) => {
		if (change.type === "cancel" && change.kind === kind) cancel(change.id);
		if (change.type !== "missed") return;
		void claims.listCancelled().then(
			(cancelled) => {
				for (const work of cancelled) if (work.kind === kind) cancel(work.id);
			},
			// The database is gone again: once it is back, there is another change.
			() => undefined,
		);
	});
