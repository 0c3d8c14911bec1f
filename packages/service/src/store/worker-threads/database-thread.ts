import { parentPort } from "node:worker_threads";
import { runJob } from "../jobs";
import { openForSearching, openForWriting, type SqliteFile, toThreadFailure } from "../sqlite-file";
import type { ThreadRequest } from "./thread-protocol";

/** SQLite files that this worker thread has open, by path. */
const files = new Map<string, SqliteFile>();

function getFile(name: string): SqliteFile {
	const found = files.get(name);
	if (found === undefined) throw new Error("The file is not open.");
	return found;
}

function handleRequest(request: ThreadRequest): unknown {
	const { file } = request;
	switch (request.type) {
		case "open":
			if (files.has(file)) return undefined;
			files.set(
				file,
				request.readOnly
					? openForSearching(file)
					: openForWriting(file, request.migrations, request.mustExist),
			);
			return undefined;
		case "close":
			files.get(file)?.close();
			files.delete(file);
			return undefined;
		case "execute":
			return getFile(file).execute(request.sql, request.parameters);
		case "job":
			return runJob(getFile(file), request.job, request.input);
	}
}

parentPort?.on("message", (request: ThreadRequest) => {
	try {
		parentPort?.postMessage({ callId: request.callId, value: handleRequest(request) });
	} catch (error) {
		parentPort?.postMessage({ callId: request.callId, failure: toThreadFailure(error) });
	}
});
