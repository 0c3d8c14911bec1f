import { createAgentJsonSchema } from "@stemma/core/agent-json-schema";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import type { DraftIssue } from "./check-draft";
import { createJsonEditor, type JsonEditorView } from "./create-json-editor";
import { findCompletions } from "./find-completions";

/** Methods of the field for the page around it. */
export type JsonEditorHandle = Pick<JsonEditorView, "select">;

interface JsonEditorProps {
	readonly ref: Ref<JsonEditorHandle>;
	readonly label: string;
	readonly text: string;
	readonly issues: readonly DraftIssue[];
	/** Slugs to suggest. */
	readonly knowledgeBases: readonly string[];
	readonly onChange: (text: string) => void;
}

/** Text field for the JSON of a graph. */
export function JsonEditor({ ref, label, text, issues, knowledgeBases, onChange }: JsonEditorProps) {
	const host = useRef<HTMLDivElement>(null);
	const editor = useRef<JsonEditorView>(undefined);
	const latest = useRef({ text, label, knowledgeBases, onChange });
	latest.current = { text, label, knowledgeBases, onChange };
	useEffect(() => {
		const root = host.current && (host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" }));
		if (root === null) return;
		const schema = createAgentJsonSchema();
		const created = createJsonEditor({
			...{ root, text: latest.current.text, label: latest.current.label },
			onChange: (changed) => latest.current.onChange(changed),
			complete: (written, offset) =>
				findCompletions(written, offset, { schema, knowledgeBases: latest.current.knowledgeBases }),
		});
		editor.current = created;
		return () => created.destroy();
	}, []);
	useEffect(() => editor.current?.setText(text), [text]);
	useEffect(() => editor.current?.setIssues(issues), [issues]);
	useImperativeHandle(ref, () => ({ select: (from, to) => editor.current?.select(from, to) }), []);
	return <div ref={host} className="json-editor" />;
}
