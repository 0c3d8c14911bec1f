import {
	autocompletion,
	type CompletionContext,
	type CompletionResult,
	closeBrackets,
	closeBracketsKeymap,
	completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { visibleText } from "@stemma/client";
import type { DraftIssue } from "./check-draft";
import type { Completions } from "./find-completions";

/** Text field for JSON, with colours, suggestions and marked problems. */
export interface JsonEditorView {
	/** Replaces the text, where it is another one. */
	setText(text: string): void;
	/** Marks problems at their places. */
	setIssues(issues: readonly DraftIssue[]): void;
	/** Selects a range, scrolls to it and focuses the field. */
	select(from: number, to: number): void;
	destroy(): void;
}

interface JsonEditorOptions {
	/**
	 * Shadow root around the field: its styles are constructed style sheets there, which the content security policy allows.
	 * In the document itself they would be inline.
	 */
	readonly root: ShadowRoot;
	readonly text: string;
	readonly label: string;
	readonly onChange: (text: string) => void;
	readonly complete: (text: string, offset: number) => Completions;
}

/** Creates the field. */
export function createJsonEditor({
	root,
	text,
	label,
	onChange,
	complete,
}: JsonEditorOptions): JsonEditorView {
	const view = new EditorView({
		root,
		parent: root,
		state: EditorState.create({
			doc: text,
			extensions: [
				lineNumbers(),
				history(),
				json(),
				bracketMatching(),
				closeBrackets(),
				lintGutter(),
				indentUnit.of("  "),
				EditorView.lineWrapping,
				syntaxHighlighting(COLOURS),
				LOOK,
				autocompletion({ override: [(context) => toResult(context, complete)] }),
				// Tab is not bound: it leaves the field.
				keymap.of([
					...closeBracketsKeymap,
					...defaultKeymap,
					...historyKeymap,
					...completionKeymap,
					...lintKeymap,
				]),
				EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
				EditorView.updateListener.of((update) => {
					if (update.docChanged) onChange(update.state.doc.toString());
				}),
			],
		}),
	});
	return {
		setText(next) {
			const { doc } = view.state;
			if (doc.toString() !== next) view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
		},
		setIssues: (issues) =>
			view.dispatch(setDiagnostics(view.state, toDiagnostics(issues, view.state.doc.length))),
		select(from, to) {
			const { length } = view.state.doc;
			const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
			view.dispatch({ selection, scrollIntoView: true });
			view.focus();
		},
		destroy: () => view.destroy(),
	};
}

/** The issues may be of a text that was longer. */
const toDiagnostics = (issues: readonly DraftIssue[], length: number) =>
	issues.map(({ message, from, to }) => ({
		from: Math.min(from, length),
		to: Math.min(to, length),
		severity: "error" as const,
		message: visibleText(message),
	}));

function toResult(
	{ state, pos, explicit }: CompletionContext,
	complete: JsonEditorOptions["complete"],
): CompletionResult | null {
	const { from, to, options } = complete(state.doc.toString(), pos);
	if (options.length === 0 || (!explicit && from === pos)) return null;
	const hasQuote = state.doc.sliceString(from, from + 1) === '"';
	return {
		...{ from, to },
		options: options.map(({ label, text, description }) => ({
			// It is compared with what is written, quotes and all.
			label: hasQuote ? JSON.stringify(label) : label,
			displayLabel: label,
			apply: text,
			...(description !== undefined && { info: description }),
		})),
	};
}

const COLOURS = HighlightStyle.define([
	{ tag: tags.propertyName, color: "var(--accent)" },
	{ tag: [tags.number, tags.bool, tags.null], color: "light-dark(#7a3e9d, #d7aef5)" },
	{ tag: tags.string, color: "light-dark(#7a4b00, #f0c987)" },
]);

const LOOK = EditorView.theme({
	"&": { color: "var(--ink)", backgroundColor: "var(--raised)", height: "100%", fontSize: "0.875rem" },
	"&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
	".cm-scroller": { fontFamily: 'ui-monospace, "Cascadia Code", Menlo, monospace', lineHeight: "1.5" },
	".cm-content": { caretColor: "var(--ink)" },
	".cm-gutters": {
		color: "var(--faint)",
		backgroundColor: "var(--card)",
		borderInlineEnd: "1px solid var(--line)",
	},
	".cm-tooltip": {
		maxWidth: "min(28rem, 80vw)",
		color: "var(--ink)",
		backgroundColor: "var(--raised)",
		border: "1px solid var(--line)",
	},
	".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
		color: "var(--on-accent)",
		backgroundColor: "var(--accent)",
	},
	".cm-diagnostic": { whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
	"&.cm-focused .cm-matchingBracket, .cm-matchingBracket": { backgroundColor: "var(--tint)" },
});
