/**
 * Scopes that can be aborted together: the whole run, and within it siblings that become useless when one of them
 * fails.
 */
export interface AbortScopes {
	/** Aborts with the scope, and with all that this one is within. */
	signalOf(scope: number): AbortSignal;
	/** Aborts the scope, and all within it. */
	abort(scope: number): void;
	open(scope: number, within: number): void;
	/**
	 * Returns a signal that aborts with the scope and also at the end of the run: tools may continue after their
	 * result.
	 */
	toolSignalOf(scope: number): AbortSignal;
	/** Aborts the tools that are still running: the run no longer waits for them. */
	end(): void;
}

/** One for all: an exception with a stack of its own at every end of a run was 6 % of what runs with tools cost. */
const ABORTED: Error = Object.assign(new Error("The run ended, or the result is no longer wanted."), {
	name: "AbortError",
});

/** A tree of its own: listeners from signal to signal would cost more than all else that a call of a tool does here. */
interface Scope {
	readonly controller: AbortController;
	/** Controller of the tools that were called in the scope. */
	tools: AbortController | undefined;
	readonly inner: Scope[];
}

const createScope = (): Scope => ({ controller: new AbortController(), tools: undefined, inner: [] });

export function createAbortScopes(): AbortScopes {
	const root = createScope();
	let scopes: Map<number, Scope> | undefined;
	const find = (scope: number): Scope => scopes?.get(scope) ?? root;

	return {
		signalOf: (scope) => find(scope).controller.signal,
		abort: (scope) => abortScope(find(scope)),
		open(scope, within) {
			const outer = find(within);
			const opened = createScope();
			outer.inner.push(opened);
			scopes ??= new Map();
			scopes.set(scope, opened);
			if (outer.controller.signal.aborted) abortScope(opened);
		},
		toolSignalOf(scope) {
			const found = find(scope);
			found.tools ??= new AbortController();
			if (found.controller.signal.aborted) found.tools.abort(ABORTED);
			return found.tools.signal;
		},
		end: () => abortTools(root),
	};
}

function abortScope({ controller, tools, inner }: Scope): void {
	controller.abort(ABORTED);
	tools?.abort(ABORTED);
	for (const scope of inner) abortScope(scope);
}

function abortTools({ tools, inner }: Scope): void {
	tools?.abort(ABORTED);
	for (const scope of inner) abortTools(scope);
}

/** Creates a signal that follows the outer one until it is released, and can be aborted alone. */
export function linkSignal(outer: AbortSignal) {
	const controller = new AbortController();
	const abort = (): void => controller.abort(ABORTED);
	if (outer.aborted) abort();
	else outer.addEventListener("abort", abort, { once: true });
	return {
		signal: controller.signal,
		abort,
		release: (): void => outer.removeEventListener("abort", abort),
	};
}
