import { quote } from "@stemma/core/internal";
import { DomainError } from "../errors/domain-error";
import type { ResponderReply } from "../replies/reply";
import { cancelElsewhere, onCancel } from "../store/claims/cancel-work";
import { ownClaims, type WorkClaims } from "../store/claims/work-claims";
import { findOutputItem, parseItemId, toConversationItems } from "./output-items";
import type { ResponseOutcome, ResponseRepository, StoredResponse } from "./repositories/response-repository";
import type { ResponseItem } from "./response-request";

/** Maximum bytes of the conversation that a response goes on from. */
export const MAX_CONVERSATION_BYTES = 20 * 1024 * 1024;

/** Reply in the background. */
export interface BackgroundWork {
	readonly controller: AbortController;
	generate(): Promise<ResponderReply>;
	/** Converts the error of a reply as the caller sees it. */
	toError(error: unknown): { readonly code: string; readonly message: string };
	/** Called when it has ended, however. */
	onEnd(): void;
}

/** Responses of one workspace: those that are stored, and those in progress in this process. */
export class Responses {
	readonly #repository: ResponseRepository;
	readonly #onError: (error: unknown) => void;
	readonly #active = new Map<
		string,
		{ readonly controller: AbortController; readonly ended: Promise<void> }
	>();
	readonly #claims: WorkClaims;
	readonly #unsubscribe: () => void;
	#isStopping = false;

	/** @param claims - default: the store is of this process alone. */
	constructor(
		repository: ResponseRepository,
		onError: (error: unknown) => void,
		claims: WorkClaims = ownClaims,
	) {
		this.#repository = repository;
		this.#onError = onError;
		this.#claims = claims;
		this.#unsubscribe = onCancel(claims, "response", (id) => this.#active.get(id)?.controller.abort());
	}

	insert(response: StoredResponse): Promise<void> {
		return this.#repository.insert(response);
	}

	/** @throws DomainError `response_not_found`, also for a response of another owner. */
	async get(owner: string, id: string): Promise<StoredResponse> {
		const response = await this.#repository.find(owner, id);
		if (response === undefined) throw responseNotFound(id);
		return response;
	}

	/**
	 * Lists the conversation up to the end of a response, the oldest item first.
	 *
	 * @param input - the items that go on from it, which count, too.
	 * @throws DomainError `response_not_found`; `invalid_request` for a response without a reply, and one that goes on from
	 * too much.
	 */
	async listItems(
		owner: string,
		id: string,
		input: readonly ResponseItem[],
	): Promise<readonly ResponseItem[]> {
		const maxBytes = MAX_CONVERSATION_BYTES - countBytes(input, "previous_response_id");
		const { responses, missingId, isTooLarge } = await this.#repository.listChain(owner, id, maxBytes);
		if (isTooLarge) throw conversationTooLarge("previous_response_id");
		const missing = responses.length === 0 ? id : missingId;
		if (missing !== undefined) throw responseNotFound(missing, "previous_response_id");
		return responses.flatMap(({ input, outcome }) => {
			if (outcome.status !== "completed") throw responseWithoutReply(outcome.status);
			return [...input, ...toConversationItems(outcome.reply)];
		});
	}

	/**
	 * Replaces references to items of responses by those items.
	 *
	 * @throws DomainError `response_not_found` with the path of the reference; `invalid_request` where they are too large
	 * together.
	 */
	async resolveReferences(
		owner: string,
		items: readonly ResponseItem[],
	): Promise<readonly Exclude<ResponseItem, { type: "item_reference" }>[]> {
		const ids = items.flatMap((item) =>
			item.type === "item_reference" ? (parseItemId(item.id)?.responseId ?? []) : [],
		);
		const replies =
			ids.length === 0
				? new Map<string, ResponderReply>()
				: await this.#repository.listReplies(owner, [...new Set(ids)], MAX_CONVERSATION_BYTES);
		if (replies === undefined) throw conversationTooLarge("input");
		const resolved = items.map((item, index) => {
			if (item.type !== "item_reference") return item;
			const {
				kind,
				responseId,
				index: number,
			} = parseItemId(item.id) ?? { kind: "msg", responseId: "", index: 0 };
			const reply = replies.get(responseId);
			const found = reply && findOutputItem(reply, kind, number);
			if (found !== undefined && found.type !== "item_reference") return found;
			throw itemNotFound(item.id, `input[${index}].id`);
		});
		// An item counts each time that it is referred to.
		if (ids.length > 0) countBytes(resolved, "input");
		return resolved;
	}

	/** Stores a response that is in progress, and generates its reply in the background. */
	async start(response: StoredResponse, work: BackgroundWork): Promise<void> {
		try {
			await this.#repository.insert(response);
		} catch (error) {
			work.onEnd();
			throw error;
		}
		const ended = this.#run(response.id, work);
		this.#active.set(response.id, { controller: work.controller, ended });
		if (this.#isStopping) work.controller.abort();
	}

	/**
	 * Cancels a response in the background; one that has ended stays as it is.
	 *
	 * @throws DomainError `invalid_request` for a response that was not started in the background.
	 */
	async cancel(owner: string, id: string): Promise<StoredResponse> {
		const response = await this.get(owner, id);
		if (!response.background)
			throw new DomainError("invalid_request", "Only responses in the background can be cancelled.", {
				hint: "To cancel another one, end the connection of its request.",
			});
		await this.#abort(id);
		return this.get(owner, id);
	}

	/** Waits until a response in the background has ended, and gets it. @throws the reason of the signal. */
	async waitUntilEnded(owner: string, id: string, signal: AbortSignal): Promise<StoredResponse> {
		const left = Promise.withResolvers<void>();
		signal.addEventListener("abort", () => left.resolve(), { once: true });
		const active = this.#active.get(id);
		if (active === undefined) await this.#claims.untilReleased({ kind: "response", id }, signal);
		await Promise.race([active?.ended, left.promise]);
		signal.throwIfAborted();
		return this.get(owner, id);
	}

	/** Deletes a response, and cancels it first. @throws DomainError `response_not_found`. */
	async delete(owner: string, id: string): Promise<void> {
		await this.get(owner, id);
		await this.#abort(id);
		await this.#repository.delete(owner, id);
	}

	/** Ends responses whose process has ended before them. Before anything else, and where another instance has ended. */
	recover(): Promise<void> {
		return this.#repository.finishAll(INTERRUPTED);
	}

	/** Ends all responses in the background. */
	async stop(): Promise<void> {
		this.#isStopping = true;
		const active = [...this.#active.values()];
		for (const { controller } of active) controller.abort();
		await Promise.all(active.map(({ ended }) => ended));
		this.#unsubscribe();
	}

	async #abort(id: string): Promise<void> {
		const active = this.#active.get(id);
		if (active === undefined) return cancelElsewhere(this.#claims, { kind: "response", id });
		active.controller.abort();
		await active.ended;
	}

	async #run(id: string, work: BackgroundWork): Promise<void> {
		const claim = { kind: "response", id } as const;
		try {
			const outcome = await this.#generate(work);
			await this.#repository.finish(id, outcome);
			await this.#claims.release(claim);
		} catch (error) {
			this.#claims.abandon(claim);
			this.#onError(error);
		} finally {
			this.#active.delete(id);
			work.onEnd();
		}
	}

	async #generate({ controller, generate, toError }: BackgroundWork): Promise<ResponseOutcome> {
		try {
			return { status: "completed", reply: await generate() };
		} catch (error) {
			if (controller.signal.aborted) return this.#isStopping ? INTERRUPTED : { status: "cancelled" };
			const { code, message } = toError(error);
			return { status: "failed", error: { code, message } };
		}
	}
}

const INTERRUPTED: ResponseOutcome = {
	status: "failed",
	error: { code: "interrupted", message: "The service stopped while the response was in progress." },
};

const responseNotFound = (id: string, param?: string): DomainError =>
	new DomainError("response_not_found", `There is no response ${quote(id)}.`, {
		param,
		hint: "A response is found by the client that created it, or the visitor of a page with the same stemma-visitor, until it is deleted.",
	});

const itemNotFound = (id: string, param: string): DomainError =>
	new DomainError("response_not_found", `No response has an item ${quote(id)}.`, {
		param,
		hint: "Send the item itself.",
	});

const responseWithoutReply = (status: string): DomainError =>
	new DomainError(
		"invalid_request",
		`The previous response is ${status.replace("_", " ")}, and has no output.`,
		{
			param: "previous_response_id",
			hint: "Wait until it is completed, or go on from another one.",
		},
	);

/** Counts the bytes of items. @throws DomainError `invalid_request` as soon as they are more than a conversation may have. */
function countBytes(items: readonly ResponseItem[], param: string): number {
	let bytes = 0;
	for (const item of items) {
		bytes += Buffer.byteLength(JSON.stringify(item));
		if (bytes > MAX_CONVERSATION_BYTES) throw conversationTooLarge(param);
	}
	return bytes;
}

const conversationTooLarge = (param: string): DomainError =>
	new DomainError("invalid_request", "The conversation before is too large to go on from.", {
		param,
		hint: "Begin a new one, with a summary as its input.",
	});
