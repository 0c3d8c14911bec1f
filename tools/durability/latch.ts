/** Resolves when so many were counted. */
export function createLatch(target: number): { readonly done: Promise<void>; count(): void } {
	let counted = 0;
	let resolveDone = (): void => undefined;
	const done = new Promise<void>((resolve) => {
		resolveDone = resolve;
	});
	if (target === 0) resolveDone();
	return {
		done,
		count() {
			counted += 1;
			if (counted >= target) resolveDone();
		},
	};
}
