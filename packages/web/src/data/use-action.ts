import { useState } from "react";

/** Change that a person asked for. */
export interface Action<Arguments extends readonly unknown[]> {
	readonly run: (...args: Arguments) => Promise<void>;
	readonly isRunning: boolean;
	/** Error of the last try. */
	readonly error: unknown;
	readonly clearError: () => void;
}

/** Runs a change once at a time, and keeps its error for the page to show. */
export function useAction<Arguments extends readonly unknown[]>(
	perform: (...args: Arguments) => Promise<unknown>,
): Action<Arguments> {
	const [isRunning, setRunning] = useState(false);
	const [error, setError] = useState<unknown>();
	return {
		isRunning,
		error,
		clearError: () => setError(undefined),
		async run(...args) {
			if (isRunning) return;
			setRunning(true);
			setError(undefined);
			try {
				await perform(...args);
			} catch (caught) {
				setError(caught);
			} finally {
				setRunning(false);
			}
		},
	};
}
