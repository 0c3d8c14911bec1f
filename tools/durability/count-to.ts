/** Resolves when so many were counted. */
export function countTo(most: number): { readonly reached: Promise<void>; count(): void } {
	let counted = 0;
	let reach = (): void => undefined;
	const reached = new Promise<void>((resolve) => {
		reach = resolve;
	});
	if (most === 0) reach();
	return {
		reached,
		count() {
			counted += 1;
			if (counted >= most) reach();
		},
	};
}
