import { getRandomValues } from "node:crypto";
import type { AuditAction, AuditRecord } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import { clock, createId } from "@stemma/core/internal";
import type { AuditAuthor } from "./audit-author";

/** A change, as it is told. */
export interface AuditEntry extends AuditAuthor {
	readonly action: AuditAction;
	readonly target: string;
	/** Names each field that may be told: nothing secret, so never an object as it came. */
	readonly details?: JsonObject;
}

/** Record of a change that is made now, to be stored in the transaction that makes it. */
export function createAuditRecord({
	action,
	actor,
	target,
	details = {},
	requestId = null,
}: AuditEntry): AuditRecord {
	const now = clock.now();
	const at = new Date(now).toISOString();
	return { id: createAuditId(now), at, action, actor, target, details, request_id: requestId };
}

let lastTime = 0;

/** `aud_…`. Each sorts after the one before, also within a millisecond and when the clock is set back. */
function createAuditId(now: number): string {
	lastTime = Math.max(now, lastTime + 1);
	return createId("aud", lastTime, getRandomValues(new Uint8Array(10)));
}
