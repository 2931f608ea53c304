require('workerpool').worker({ echo: (value) => value })
