import { type FormEvent, type KeyboardEvent, type Ref, useId } from "react";

interface MessageFormProps {
	readonly label: string;
	readonly submitLabel: string;
	readonly field?: Ref<HTMLTextAreaElement>;
	readonly initialText?: string;
	/** `false` while Return must not send the text. */
	readonly canSend?: boolean;
	readonly autoFocus?: boolean;
	readonly onSubmit: (text: string, form: HTMLFormElement) => void;
	readonly onInput?: (text: string) => void;
	readonly onEscape?: () => void;
	readonly children?: React.ReactNode;
}

/** Field for a message: Return sends it, Shift and Return begin a new line. */
export function MessageForm(props: MessageFormProps) {
	const { label, submitLabel, field, initialText = "", canSend = true, autoFocus, children } = props;
	const id = useId();

	function submit(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		const form = event.currentTarget;
		props.onSubmit(String(new FormData(form).get("message")).trim(), form);
	}

	function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
		// Return also ends the composition of a character.
		if (event.nativeEvent.isComposing) return;
		if (event.key === "Escape") props.onEscape?.();
		if (event.key !== "Enter" || event.shiftKey) return;
		event.preventDefault();
		if (canSend) event.currentTarget.form?.requestSubmit();
	}

	return (
		<form className="stemma-form" onSubmit={submit}>
			<label htmlFor={id}>{label}</label>
			<textarea
				id={id}
				name="message"
				ref={field}
				rows={1}
				dir="auto"
				defaultValue={initialText}
				// biome-ignore lint/a11y/noAutofocus: it replaces the control that has the focus.
				autoFocus={autoFocus}
				onInput={(event) => props.onInput?.(event.currentTarget.value)}
				onKeyDown={onKeyDown}
			/>
			<button type="submit">{submitLabel}</button>
			{children}
		</form>
	);
}
