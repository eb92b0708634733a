// The build gives a style sheet as its text: each output adopts it into a tree of its own.
declare module "*.css" {
  const text: string;
  export = text;
}
