import * as z from "zod";
import { DomainError } from "../../errors/domain-error";
import type { ServiceContext } from "../../http/service-context";
import type { TurnRequest } from "../../threads/prepare-turn";
import {
	MAX_METADATA_ENTRIES,
	MAX_METADATA_KEY_CHARACTERS,
	MAX_METADATA_VALUE_CHARACTERS,
	MAX_THREAD_TITLE_CHARACTERS,
} from "../../threads/thread-limits";

/** Title of a thread. */
export const titleField = z.string().trim().min(1).max(MAX_THREAD_TITLE_CHARACTERS);

export const metadataField = z
	.record(z.string().min(1).max(MAX_METADATA_KEY_CHARACTERS), z.string().max(MAX_METADATA_VALUE_CHARACTERS))
	.refine(
		(metadata) => Object.keys(metadata).length <= MAX_METADATA_ENTRIES,
		`must have at most ${MAX_METADATA_ENTRIES} entries`,
	);

const idField = z.string().max(100);

/** Fields by which a request names a place in a thread. */
export const turnFields = {
	thread_id: idField.exactOptional(),
	parent_id: idField.nullable().exactOptional(),
	regenerate_of: idField.exactOptional(),
	if_active: z.enum(["queue", "reject", "interrupt"]).exactOptional(),
};

interface TurnBody extends Partial<Omit<TurnRequest, "token">> {}

/**
 * Reads the place in a thread that a body names; `undefined` where it names no thread.
 *
 * @throws DomainError `invalid_request` for fields that do not go together.
 */
export function readTurnRequest(
	context: ServiceContext,
	{ thread_id, parent_id, regenerate_of, if_active }: TurnBody,
): TurnRequest | undefined {
	if (thread_id === undefined) {
		const fields = { parent_id, regenerate_of, if_active };
		const [param] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
		if (param !== undefined) throw doesNotFit(param, 'needs a "thread_id"');
		return undefined;
	}
	if (regenerate_of !== undefined && parent_id !== undefined)
		throw doesNotFit("parent_id", 'does not go together with "regenerate_of"');
	return { thread_id, token: readThreadToken(context), parent_id, regenerate_of, if_active };
}

export const readThreadToken = (context: ServiceContext): string | undefined =>
	context.req.header("stemma-thread-token");

/** @throws DomainError `invalid_request` for a message that is missing, or that there is one too many of. */
export function assertMessageField(name: string, value: unknown, turn: TurnRequest | undefined): void {
	const isRepeated = turn?.regenerate_of !== undefined;
	if (value === undefined && !isRepeated) throw doesNotFit(name, "is missing");
	if (value !== undefined && isRepeated) throw doesNotFit(name, 'does not go together with "regenerate_of"');
}

export const doesNotFit = (param: string, problem: string): DomainError =>
	new DomainError("invalid_request", `"${param}" ${problem}.`, {
		param,
		details: { issues: [{ path: param, message: `${problem}.` }] },
	});
