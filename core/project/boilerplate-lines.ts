// Written by adapters/scripts/refresh-boilerplate.ts from the templates of: @sap/generator-fiori@1.9.2, @sap/generator-fiori@1.13.6, @sap/generator-fiori@1.19.0, @sap/generator-fiori@1.32.0, @sap-ux/ui5-application-writer@0.11.2, @sap-ux/ui5-application-writer@0.17.6, @sap-ux/ui5-application-writer@0.26.8, @sap-ux/fiori-elements-writer@3.1.62, @sap-ux/fiori-freestyle-writer@0.21.10.

/** Files that generators of SAP write: a text that each version of one has, and hashes of its lines. */
export const BOILERPLATE: readonly { readonly name: string; readonly mark: string; readonly lines: string }[] = [
  {
    name: 'locate-reuse-libs.js',
    mark: 'ui5_app_info',
    lines:
      'fhf6u iw34n vi0dl 21b8ou 23kjox 2ertk4 2lm7jy 2vh7v8 2ygolh 3ahvt7 3mdtml 4hyuto 4lil9s 4u4m5q 54jwtn 5sj1wd 5ulyxn 6ztij1 7bddcg 7f8551 7ty5cy 82s3yn 8i6m8k 8qo8p2 9ictwz 9jf1dk 9keavu a84fbo ag8152 ahxbex al6k8p arc4m9 asfg9a atafj1 b4gg7x bg1n9x c7cyog ceo596 crwceo d9rrki ez3fmg ez88sd ffi66f fig2dv fq17nb glgd7y gtv4id gzbqev hkds00 i0njo3 ibt4a0 j6da2a jevqkg juzd6q k78s94 l04fq1 lbxnc9 lr466y m6vy4o mkhf07 ncx4cu nzp1qp o2p1oq oo37ki our6me p4akv0 pkkp5t po7goq pss9vv q5m268 q793bo q990nz qieim2 qxm7zi r99c4k riv6xw rrg4n6 sg5hb4 suhewf sz34e6 t5b3w4 t6d5kl tg20uw uk6pw1 v5d5nq v8fnif ved8qq vtqqvz wkadm7 wt1lt8 xyazay y1gd3i zh7dqe 10a2vud 10amhf4 11gh6eo 11t4axj 11vho46 12ukuky 12x7h1t 13cpqyj 14dms5h 14iexsv 15a3qu5 16rg306 16u7sfy 17chlli 17n6fks 17o2obh 17tmvfs 17xkwj7 18dlg2u 19nq85k 19rsx72 19xg8qb 1ak1i0m 1bxzegv 1c0z3vg 1c3z2yg 1d3kk1t 1d5dzy5 1e34h72 1eth7mv 1fmcu9l 1fnkkvq 1fuc3q0 1hetrsg 1hhy04l 1hjvlh4 1i1rvk0 1i97b9d 1iisusz 1ioaabu 1k03b8v 1k3uxnt 1k6u6th 1kc8snh 1ks1xdy 1l8lnii 1lpe5js 1lzpwum 1mupq8t 1n5jap8 1ndbzv8 1nzfpot 1o61fba 1o8ejh2 1oao5mt 1p150w1 1p47nqe 1qjwnns 1qs3xz9 1rau4yt 1rf1qzj 1rwveuq 1t2diro 1t4v1hg 1tne97v 1tol7w4 1uaedbs 1w55bh4 1wa2q66 1wah55i 1wjr2xm 1xglmg8 1yb6ygw 1yee5pb 1yocqho 1yr1bfr 1yvkz5y 1yxbs6h',
  },
  {
    name: 'flpSandbox.html',
    mark: 'sap-ushell-config',
    lines:
      'oh6wv 16zeqq 3q16sc 3rquz0 7btxbb 8clk2g 8rl85q c0znyg cr72b8 dc4vsy dhmghp fq17nb gnk5de h5v4t5 hvqnqh jpp2j1 kh73vb m94g8v nhy7z1 nnsx5c ofy23w oqlp2g ozml29 p76io7 pqa70s sep1mv vb3nky vc71r5 vca127 vtmuif wic2ml z2u2sx z5ex07 10y8tsr 11sfoky 11vgngg 12va5gh 13ejg5k 14v7tla 15dpp7h 15kx00i 15tr9b0 173jnlo 1ajqfhn 1bxhuc4 1d91lyx 1dkxo8l 1dpsqge 1drx0wp 1dtotma 1fxr4ei 1g1fte6 1gtvx69 1j2wgnm 1j6e60i 1kk01s6 1kyocvu 1lrpnam 1n3embo 1ncc3r9 1nedsfo 1ni15zi 1p42sqd 1q1oney 1qnugrt 1tu61f4 1v8lx4n 1vybfly 1w55bh4',
  },
  {
    name: 'changes_preview.js',
    mark: 'sap-ui-fl-max-layer',
    lines:
      '16o1dm 1dvnoy 2k11tm 36ykhh 39ks73 6jyzxb 82frok altv1m b2cfwk bxxqlb c1rhaz cbhkdt ce6o22 dslest eqeg2g f8t2lv fds8l6 gu8x26 h0ig41 haa4fh hdqw53 igti7x j0j1yy jchmvy jfag3i ju73ug kdmfgr l8qpno ld3zqi mk73lf nefxbw nhw8fy ocngya of2bnk ofr25f ol3ayf otlrs1 p7ll8t qcoedg uazw3s uz4uqw x5nm3q xr29sy yjs5rk z7uzg4 zd2etu zft4ib zlg7i0 11oobna 12irk1l 1456imr 14m05zg 17t1b1b 1956d4k 19e2pkg 1aa8hn8 1araock 1bhbhb6 1bk94mx 1bp3qqo 1c2qcmp 1cwy278 1d6kgok 1df0uer 1eqnd1m 1g88nkm 1ge7b49 1j33x46 1j7ech6 1l0lyab 1ltk6jx 1lw0jby 1n94jy6 1ojnjoo 1oq590x 1pdq3b5 1pqxig6 1qb7475 1r15po0 1rf1qzj 1rt8rxy 1tbhg3l 1u937fg 1u9pd24 1ubcw9k 1v5h9il 1wjxems 1wtsfz1 1x68f62 1xgaqxp',
  },
  {
    name: 'changes_loader.js',
    mark: 'changes_preview',
    lines:
      'guzj96 kbtv1f kxsfon mvcyg7 nhw8fy ocngya ofr25f up2x3l 135mz7h 18c0w9k 1c2qcmp 1ge7b49 1jenmoo 1pdq3b5 1qb7475 1rf1qzj 1sy6s30 1xcv2el 1ydbkzr 1yiww8q',
  },
]
