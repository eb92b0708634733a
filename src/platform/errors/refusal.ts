/** The reason why a call of a model, or a change of a file, is refused; the message is for the model and the user. */
export class Refusal extends Error {}
