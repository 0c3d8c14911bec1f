import { DomainError } from "../errors/domain-error";

/**
 * Budget of bytes that all workspaces share. The share of one workspace is less than the whole, so that no workspace uses up
 * what the others need.
 */
export interface ByteBudget {
	/** Opens an empty account; it is to be released when what it counts is gone. */
	open(workspaceId: string): ByteAccount;
	/** Bytes in use, of all workspaces. */
	readonly usedBytes: number;
}

export interface ByteAccount {
	readonly bytes: number;
	/**
	 * Uses more bytes. Nothing is used where it throws.
	 *
	 * @throws DomainError 429 where the workspace is over its share, 503 where all workspaces together are over the budget.
	 */
	add(bytes: number): void;
	/** Throws as {@link add} does, and uses nothing: for what a request has announced. */
	check(bytes: number): void;
	/** Gives all bytes back. May be called again. */
	release(): void;
}

export interface ByteBudgetOptions {
	/** Maximum bytes of all workspaces together. */
	readonly totalBytes: number;
	/** Maximum bytes of one workspace. */
	readonly workspaceBytes: number;
	/** Name of the counted bytes in error messages, such as "request bodies in memory". */
	readonly name: string;
	/** Settings that an operator raises against refusals. */
	readonly settings: { readonly total: string; readonly workspace: string };
	/** `retry-after` of refusals, in seconds. Default 1. */
	readonly retryAfterSeconds?: number;
}

export function createByteBudget(options: ByteBudgetOptions): ByteBudget {
	const { totalBytes, workspaceBytes } = options;
	const shares = new Map<string, number>();
	let usedBytes = 0;

	function use(workspaceId: string, bytes: number): void {
		const share = (shares.get(workspaceId) ?? 0) + bytes;
		usedBytes += bytes;
		if (share === 0) shares.delete(workspaceId);
		else shares.set(workspaceId, share);
	}

	function check(workspaceId: string, bytes: number): void {
		if ((shares.get(workspaceId) ?? 0) + bytes > workspaceBytes) throw workspaceBudgetError(options);
		if (usedBytes + bytes > totalBytes) throw totalBudgetError(options);
	}

	return {
		get usedBytes() {
			return usedBytes;
		},
		open(workspaceId) {
			let accountBytes = 0;
			return {
				get bytes() {
					return accountBytes;
				},
				add(bytes) {
					check(workspaceId, bytes);
					use(workspaceId, bytes);
					accountBytes += bytes;
				},
				check: (bytes) => check(workspaceId, bytes),
				release() {
					use(workspaceId, -accountBytes);
					accountBytes = 0;
				},
			};
		},
	};
}

const workspaceBudgetError = ({
	name,
	workspaceBytes,
	settings,
	retryAfterSeconds = 1,
}: ByteBudgetOptions): DomainError =>
	new DomainError(
		"too_many_bytes",
		`This workspace has ${workspaceBytes.toLocaleString("en")} bytes of ${name} already.`,
		{
			hint: `Send fewer requests at once and try again later, or ask the operator to raise ${settings.workspace}.`,
			retryAfterSeconds,
			details: { max_bytes: workspaceBytes },
		},
	);

const totalBudgetError = ({ name, settings, retryAfterSeconds = 1 }: ByteBudgetOptions): DomainError =>
	new DomainError("too_many_bytes", `The service has no room for more ${name} at the moment.`, {
		hint: `Try again later, or ask the operator to raise ${settings.total}.`,
		retryAfterSeconds,
		origin: "deployment",
	});
