import ts from "typescript";
import { listNodes, type SourceFile } from "./source-file.ts";

/** Comment of the form `/** … *\/` with text before its tags. */
export interface Docstring {
	readonly text: string;
	readonly line: number;
}

/** Docstrings of a file, each once, in the order of the file; those of tags alone are left out. */
export function listDocstrings({ tree }: SourceFile): Docstring[] {
	const byPosition = new Map<number, Docstring>();
	for (const node of listNodes(tree))
		for (const comment of ts.getJSDocCommentsAndTags(node)) {
			const text = ts.isJSDoc(comment) ? ts.getTextOfJSDocComment(comment.comment)?.trim() : undefined;
			if (text === undefined || text === "") continue;
			const line = tree.getLineAndCharacterOfPosition(comment.pos).line + 1;
			byPosition.set(comment.pos, { text, line });
		}
	return [...byPosition.entries()].sort(([one], [other]) => one - other).map(([, docstring]) => docstring);
}
