// A program that only Node runs, for its types alone.
import { Stemma } from "@stemma/client";
import { fileFromPath } from "@stemma/client/node";

const stemma = new Stemma({ clientId: "cl_1", clientSecret: process.env.SECRET ?? "" });

export const upload = async () =>
	stemma.knowledge.documents.upload("kb_1", {
		files: [await fileFromPath("page.md", { source: true }), { file: new Uint8Array(1), name: "page.txt" }],
	});

// @ts-expect-error: a path is no file
stemma.knowledge.documents.upload("kb_1", { file: "page.md", name: "page.md" });
