/** Starts counting frames in a page. Returns what ends it and gives the times between them, in milliseconds. */
export async function startFrames(page) {
	await page.evaluate(() => {
		const frames = { times: [], isRunning: true };
		globalThis.benchFrames = frames;
		const tick = (time) => {
			frames.times.push(time);
			if (frames.isRunning) requestAnimationFrame(tick);
		};
		requestAnimationFrame(tick);
	});
	const session = await page.context().newCDPSession(page);
	await session.send("Performance.enable");
	const readBusyMs = async () => {
		const { metrics } = await session.send("Performance.getMetrics");
		return metrics.find(({ name }) => name === "TaskDuration").value * 1_000;
	};
	const busyBefore = await readBusyMs();
	return async () => {
		const times = await page.evaluate(() => {
			globalThis.benchFrames.isRunning = false;
			return globalThis.benchFrames.times;
		});
		const busyMs = (await readBusyMs()) - busyBefore;
		await session.detach();
		return { frames: times.slice(1).map((time, index) => time - times[index]), busyMs };
	};
}
