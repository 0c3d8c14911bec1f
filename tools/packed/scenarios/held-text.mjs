// Text that a vendor holds back until whoever reads it has it: see `held-vendor.ts`.

/** What the vendor writes where a question is marked to be held; it comes in pieces of seven characters. */
export const HELD_TEXT = "One by one, as it is written.";
export const PIECES = 5;

/** A mark for a question whose answer is held back, and what lets so many more pieces of it out. */
export function holdBack({ releaseUrl, fetch = globalThis.fetch }) {
	const mark = Math.random().toString(36).slice(2);
	const release = async (pieces) => {
		const answer = await fetch(`${releaseUrl}?mark=${mark}&pieces=${pieces}`, { method: "GET" });
		if (answer.status !== 200) throw new Error(`The vendor did not release text: ${answer.status}.`);
		return answer.text();
	};
	return {
		mark: `#held-${mark}`,
		release,
		/** Waits until the vendor was asked (`open`), or until its answer was given up (`closed`). */
		async until(state) {
			while ((await release(0)) !== state) await pause();
		},
	};
}

export const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

/** What something failed with. */
export const failureOf = (promise) =>
	promise.then(
		() => new Error("It did not fail."),
		(error) => error,
	);
