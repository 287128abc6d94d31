interface ImportMetaEnv {
  // The language of a browser's bundle; undefined in the server's, which has all of them.
  readonly LANGUAGE?: string;
}
