/**
 * Lines that must ask, one or more for each option that writes, runs a program, follows links, reads a list of names, or does
 * not end. Two blanks are between them.
 */
export const dangerousLines: readonly string[] = `
  ls -L  ls --dereference  cat -u  cat -l a.txt  head --zero-terminated a.txt  tail -f a.txt
  tail -F a.txt  tail --follow a.txt  tail --pid=1 a.txt  tail --retry a.txt  wc --files0-from=a.txt
  nl --help  cut --zz a.txt  sort -o a.txt a.txt  sort -oa.txt a.txt  sort -no a.txt a.txt
  sort --output=a.txt a.txt  sort --output a.txt  sort --outp=a.txt a.txt  sort -T /tmp a.txt
  sort --compress-program=x a.txt  sort --files0-from=a.txt  sort -S 9G a.txt
  sort --random-source=x a.txt  uniq a.txt b.txt  uniq -c a.txt b.txt  uniq a.txt -c  grep -R x src
  grep --dereference-recursive x src  grep -f a.txt src/b.ts  grep --file=a.txt src/b.ts  grep -S x src
  grep -P x a.txt  grep -z x a.txt  grep -D read x a.txt  grep -d recurse x src  rg --pre x one src
  rg --pre=x one src  rg -z one src  rg --search-zip one src  rg -L one src  rg --follow one src
  rg -f a.txt src  rg --hidden one src  rg -u one src  rg -uuu one src  rg -. one src
  rg --no-ignore one src  rg -g .env one src  rg --glob=.env one src  rg --iglob=x one src
  rg --hostname-bin=x one src  rg --ignore-file=x one src  rg --files  rg --type-add=x one src
  find . -exec rm x  find . -execdir x  find . -ok x  find . -okdir x  find . -delete  find . -fprint a
  find . -fprintf a b  find . -fls a  find . -fprint0 a  find -L . -name x  find -H . -name x
  find . -follow  find -files0-from a.txt  find . -newer /etc/passwd  find . -samefile /etc/passwd
  find -D exec .  find . -lname x  find . -name x ../  diff -r src lib  diff --recursive src lib
  diff --to-file=a.txt lib  diff --from-file=a.txt lib  diff -l a.txt src/b.ts  diff -X a.txt src lib
  diff --label=x a.txt src/b.ts  diff -S x src lib  diff -D x a.txt src/b.ts  file -f a.txt
  file -m x a.txt  file -C  file -z a.txt  file -s a.txt  file -L link.txt  stat -L link.txt
  stat --dereference link.txt  du -L src  du --files0-from=a.txt  du -X a.txt  du --exclude-from=a.txt
  tree -o x  tree -l  tree --fromfile  tree -R  date -s x  date --set=x  date 01010000  date -f a.txt
  date --file=a.txt  date -r .env  date -d x  readlink -z x  which -x  uname x  hostname x  pwd x
  whoami x  cat --unknown a.txt  echo '\\033]0;x'  nproc x  node --eval  node -v a.js  node --version a.js
  sh --version  x --version  env --version  npm --versions  git -c core.pager=x log  git -C .. log
  git --git-dir=x log  git --exec-path=x log  git -p log  git log --output=x  git log --output x
  git log --ext-diff  git log -p --ext-diff  git log --textconv  git log --show-signature
  git log '--format=%G?'  git log -L 1,2:a.txt  git log --pretty='%GK'  git log -c -p  git log --cc
  git log -m -p  git log --stdin  git log --follow -p a.txt  git log -z -p -G x --outp=y
  git diff --output=x  git diff --output x  git diff --ext-diff  git diff --textconv
  git diff --no-index a.txt src/b.ts  git diff -O x  git diff -Ox  git diff --ignore-submodules
  git diff --submodule=diff  git diff --outpu=x  git show --output=x  git show --textconv
  git show --ext-diff  git show --show-signature  git show '--format=%G?'  git status -v
  git status --verbose  git status -vv  git blame --contents=.env a.txt  git blame --contents .env a.txt
  git blame --textconv a.txt  git blame --ignore-revs-file=x a.txt  git branch x  git branch -d main
  git branch -D main  git branch -m x  git branch -c x  git branch --edit-description  git branch -u x
  git branch -f main HEAD  git tag x  git tag -d x  git tag -l x  git tag -a  git remote -v
  git remote add x y  git config -l  git config --get user.name  git stash  git stash list  git fetch
  git pull  git push  git grep x  git ls-remote  git archive HEAD  git rev-parse --parseopt
  git rev-parse --git-path x  git rev-parse --exec  git ls-files -z  git ls-files --with-tree=x
  git ls-files -X a.txt  git describe --contains  git cat-file -p HEAD:.env  git reflog  git bisect log
  git difftool  git help  git --version x  git  cat a.txt > out.txt  echo x > out.txt  ls >> a.txt
  cat a.txt | tee b.txt  ls | xargs rm  cat a.txt | sh  ls && rm a.txt  ./ls  /bin/ls  rm a.txt  touch x
  printenv  env  set  ps aux  less a.txt  more a.txt  jq . a.txt  awk x a.txt
  xxd a.txt b  curl x  sed 1p a.txt  sed -i 1p a.txt  sed -n -i 1p a.txt  sed -n 1p a.txt -i
  sed -n 1p -e 1w  sed -n 1,2w out.txt a.txt  sed -n '1p;w out.txt' a.txt  sed -n 1e a.txt  sed -n 1r .env a.txt
  sed -n '1p;e id' a.txt  sed -n 1p .env  sed -n 1p /etc/passwd  sed -n 1p link.txt  sed -n '1!p' a.txt
  sed --expression=1p -n a.txt  sed -n -f a.txt b.ts  sed -nf a.txt  sed -n 1p -- -i  sed -ni 1p a.txt
  git --no-pager -c core.pager=x log  git --no-pager log --output=x  git --no-pager --no-pager log
  git --no-pager  git -P log  node -v x  python -v  node -V
`
  .split(/ {2,}|\n/)
  .map((line) => line.trim())
  .filter((line) => line !== "");
