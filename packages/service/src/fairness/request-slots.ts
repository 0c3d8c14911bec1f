import { DomainError } from "../errors/domain-error";

/** Requests of one workspace in flight, streams until their end. */
export interface RequestSlots {
	/** @throws DomainError `too_many_requests` where the workspace, the client key or the user has as many in flight as it may. */
	assertFree(caller: SlotCaller): void;
	/** Counts a request, or the stream that answers it; call what is returned when it has ended. */
	enter(caller: SlotCaller): () => void;
	readonly size: number;
}

export interface SlotCaller {
	readonly id: string;
	readonly kind: "client" | "client_key" | "user";
}

/** Part of a workspace's requests that one client key or user may have in flight: a page must not lock its owner out. */
const PAGE_SHARE = 0.5;

/** @param max - of the whole workspace. */
export function createRequestSlots(max: number): RequestSlots {
	const sizes = new Map<string, number>();
	let size = 0;

	function count(id: string, delta: number): void {
		const next = (sizes.get(id) ?? 0) + delta;
		if (next === 0) sizes.delete(id);
		else sizes.set(id, next);
		size += delta;
	}

	return {
		get size() {
			return size;
		},
		assertFree({ id, kind }) {
			if (size >= max) throw tooManyRequests("workspace", max);
			const maxOfPage = Math.ceil(max * PAGE_SHARE);
			if (kind !== "client" && (sizes.get(id) ?? 0) >= maxOfPage)
				throw tooManyRequests(kind === "user" ? "user" : "client key", maxOfPage);
		},
		enter({ id }) {
			count(id, 1);
			let isReleased = false;
			return () => {
				if (!isReleased) count(id, -1);
				isReleased = true;
			};
		},
	};
}

const tooManyRequests = (owner: string, max: number): DomainError =>
	new DomainError("too_many_requests", `This ${owner} has ${max} requests and streams in flight already.`, {
		hint: "Wait for some to end and try again, or ask the operator to raise limits.concurrent_requests.",
		retryAfterSeconds: 1,
	});
